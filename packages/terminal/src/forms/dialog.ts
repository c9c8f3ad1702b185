// Asks before something is done that cannot be undone. The browser keeps the focus inside and closes it on Escape.
import { box, button, make } from '../elements.ts';
import { explain } from './failure.ts';

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly tone?: 'primary' | 'danger';
  readonly more?: readonly Node[];
  /** Done while the question stands: where it throws, the reason is shown and can be tried again. */
  readonly act: () => Promise<void>;
}

export function ask(question: Question): void {
  const title = make('h2', '', question.title);
  title.id = 'dialog-title';
  const message = make('p', 'message');
  message.dataset.tone = 'bad';
  message.setAttribute('role', 'status');
  const confirm = button(question.confirm, question.tone ?? 'danger', async () => {
    confirm.disabled = true;
    try {
      await question.act();
      dialog.close();
    } catch (error) {
      message.textContent = explain(error).general;
      confirm.disabled = false;
    }
  });
  const cancel = button('Cancel', 'plain', () => dialog.close());
  const dialog = box(
    'dialog',
    'dialog',
    title,
    make('p', '', question.text),
    ...(question.more ?? []),
    message,
    box('div', 'actions', confirm, cancel),
  );
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  cancel.focus();
}
