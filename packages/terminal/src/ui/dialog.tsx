// Modal dialogs. The browser keeps the focus inside, closes them on Escape and gives the focus back.
import { useSignal } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { explain } from './failure.ts';
import { Form, type FormProps, FormValues } from './form.tsx';

export const DIALOG_TITLE = 'dialog-title';

/** Opens a dialog; its view has a heading with the id `DIALOG_TITLE`. */
export function openDialog(view: (close: () => void) => ComponentChildren, className = 'dialog'): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.className = className;
  dialog.setAttribute('aria-labelledby', DIALOG_TITLE);
  dialog.addEventListener('close', () => {
    render(null, dialog);
    dialog.remove();
  });
  document.body.append(dialog);
  render(
    view(() => dialog.close()),
    dialog,
  );
  dialog.showModal();
  return dialog;
}

export interface Confirmation {
  readonly title: string;
  readonly text: string;
  /** Label of the button that acts. */
  readonly confirm: string;
  readonly tone?: 'primary' | 'danger';
  /** Fields to fill in before acting. */
  readonly fields?: ComponentChildren;
  /** Runs while the dialog stays open. If it throws, the dialog shows the reason and the user can retry. */
  readonly act: (values: FormValues) => Promise<unknown>;
}

export interface FormDialog extends Pick<FormProps, 'submit' | 'tone' | 'onSubmit' | 'children'> {
  readonly title: string;
  readonly text: string;
}

/** A form in a dialog, which closes unless `onSubmit` throws. */
export function openFormDialog({ title, text, onSubmit, ...form }: FormDialog): HTMLDialogElement {
  return openDialog((close) => (
    <>
      <h2 id={DIALOG_TITLE}>{title}</h2>
      <p>{text}</p>
      <Form
        {...form}
        autoFocus
        onCancel={close}
        onSubmit={async (values, handle) => {
          await onSubmit(values, handle);
          close();
        }}
      />
    </>
  ));
}

/** Asks before something that cannot be undone. Cancel has the focus. */
export function askToConfirm(confirmation: Confirmation): void {
  const dialog = openDialog((close) => <ConfirmDialog {...confirmation} close={close} />);
  dialog.querySelector<HTMLElement>('.actions .plain')?.focus();
}

function ConfirmDialog(props: Confirmation & { readonly close: () => void }) {
  const { title, text, confirm, tone = 'danger', fields, act, close } = props;
  const form = useRef<HTMLFormElement>(null);
  const problem = useSignal('');
  const busy = useSignal(false);
  const run = async (): Promise<void> => {
    busy.value = true;
    try {
      await act(new FormValues(form.current ?? undefined));
      close();
    } catch (error) {
      problem.value = explain(error).general;
      busy.value = false;
    }
  };
  return (
    <>
      <h2 id={DIALOG_TITLE}>{title}</h2>
      <p>{text}</p>
      {fields !== undefined && (
        <form class="form" method="dialog" ref={form}>
          {fields}
        </form>
      )}
      <p class="message" data-tone="bad" role="status">
        {problem.value}
      </p>
      <div class="actions">
        <Button tone={tone} disabled={busy.value} onClick={() => void run()}>
          {confirm}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </>
  );
}
