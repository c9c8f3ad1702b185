// Forms and their fields. Inputs keep their own values; the form reads them when it is submitted, sends one request at a time,
// and shows each validation error of the service at its field.
import { type Signal, useSignal } from '@preact/signals';
import type { Confirmation } from '@tickwire/client';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { asksForCode, explain } from './failure.ts';
import { useInView } from './hooks.ts';
import { isExpired, SessionExpired } from './session-expired.ts';

/** The values of a form by field name. */
export class FormValues {
  readonly #values: FormData;

  constructor(form: HTMLFormElement | undefined) {
    this.#values = new FormData(form);
  }

  /** The password again, and the code if the form asks for one. */
  confirmation(): Confirmation {
    const code = this.text('code');
    return { password: this.text('password'), ...(code !== '' && { code }) };
  }

  /** '' if there is no such field. */
  text(name: string): string {
    return String(this.#values.get(name) ?? '');
  }

  /** The checked ones of several checkboxes with this name. */
  all(name: string): readonly string[] {
    return this.#values.getAll(name).map(String);
  }
}

export type MessageTone = 'calm' | 'good' | 'bad';

export interface FormHandle {
  reset(): void;
  /** Shows a message about the form as a whole. */
  show(text: string, tone?: MessageTone): void;
  /** Shows an error at its field if it names one, otherwise below the fields. */
  fail(error: unknown): void;
}

export interface FormProps {
  readonly submit: string;
  readonly tone?: 'primary' | 'danger';
  /** Focuses the first empty field on mount. */
  readonly autoFocus?: boolean;
  /** Adds a button beside the one that submits. */
  readonly onCancel?: () => void;
  /** An error that it throws is shown in the form. If the service asks for the code of two-factor sign-in, a field `code` appears. */
  readonly onSubmit: (values: FormValues, form: FormHandle) => Promise<void>;
  readonly children: ComponentChildren;
}

type FieldErrors = ReadonlyMap<string, string>;
const NO_ERRORS: FieldErrors = new Map();
const FieldErrorsContext = createContext<Signal<FieldErrors> | null>(null);

type Control = HTMLInputElement | HTMLSelectElement;

export function Form({ submit, tone = 'primary', autoFocus = false, onCancel, onSubmit, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const errors = useSignal(NO_ERRORS);
  const message = useSignal({ text: '', tone: 'calm' as MessageTone });
  const busy = useSignal(false);
  const said = useInView<HTMLParagraphElement>(message.value.text);
  const onExpired = useContext(SessionExpired);
  const [asksCode, setAsksCode] = useState(false);
  const controls = (): readonly Control[] =>
    [...(element.current?.elements ?? [])].filter((each) => 'name' in each && each.name !== '') as Control[];
  const handle: FormHandle = {
    reset() {
      element.current?.reset();
      errors.value = NO_ERRORS;
    },
    show(text, shown = 'calm') {
      message.value = { text, tone: shown };
    },
    fail(reason) {
      if (asksForCode(reason)) {
        setAsksCode(true);
        message.value = { text: reason.detail, tone: 'calm' };
        return;
      }
      const names = controls().map(({ name }) => name);
      const failure = explain(reason, names);
      errors.value = failure.fields;
      message.value = { text: failure.general, tone: 'bad' };
      controls()
        .find(({ name }) => failure.fields.has(name))
        ?.focus();
    },
  };
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy.value || !element.current) return;
    busy.value = true;
    handle.show('');
    try {
      await onSubmit(new FormValues(element.current), handle);
    } catch (reason) {
      if (isExpired(reason)) onExpired(reason);
      handle.fail(reason);
    } finally {
      busy.value = false;
    }
  };
  useLayoutEffect(() => {
    if (autoFocus) (controls().find(({ value }) => value === '') ?? controls()[0])?.focus();
  }, []);
  return (
    <FieldErrorsContext.Provider value={errors}>
      {/* Should the script ever fail to handle it, a posted form puts nothing that was typed into the address. */}
      <form class="form" method="post" ref={element} onSubmit={(event) => void send(event)}>
        {children}
        {asksCode && <CodeField autoFocus />}
        <p class="message" role="status" data-tone={message.value.tone} ref={said}>
          {message.value.text}
        </p>
        <div class="actions">
          <button type="submit" class={tone} disabled={busy.value}>
            {submit}
          </button>
          {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        </div>
      </form>
    </FieldErrorsContext.Provider>
  );
}

export interface FieldProps {
  /** As the request names it. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** A reason of the page itself why the value is not accepted. */
  readonly problem?: string;
}

export interface ControlProps {
  readonly id: string;
  readonly name: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby'?: string;
}

interface RenderControl {
  readonly children: (control: ControlProps) => ComponentChildren;
}

let fields = 0;

/** A labelled control with a hint and, if its value was rejected, the reason. */
export function Field({ name, label, hint, problem, children }: FieldProps & RenderControl) {
  // `useId` counts per tree, and a dialog is a separate tree.
  const [id] = useState(() => `field-${++fields}`);
  const errors = useContext(FieldErrorsContext);
  const reason = problem || (errors?.value.get(name) ?? '');
  const describedBy = [...(hint === undefined ? [] : [`${id}-hint`]), ...(reason === '' ? [] : [`${id}-problem`])];
  const clear = (): void => {
    if (!errors?.peek().has(name)) return;
    errors.value = new Map([...errors.peek()].filter(([field]) => field !== name));
  };
  return (
    <div class="field" onInput={clear}>
      <label for={id}>{label}</label>
      <div class="control">
        {children({
          id,
          name,
          'aria-invalid': reason !== '',
          ...(describedBy.length > 0 && { 'aria-describedby': describedBy.join(' ') }),
        })}
      </div>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p class="problem" id={`${id}-problem`}>
        {reason}
      </p>
    </div>
  );
}

export interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'password';
  /** For password managers. Default: `off`. */
  readonly autocomplete?: AutoFill;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Initial value. */
  readonly value?: string;
  readonly placeholder?: string;
  readonly mono?: boolean;
  /** A sentence or a name: the browser may check its spelling and write capitals. */
  readonly prose?: boolean;
  readonly inputMode?: 'decimal' | 'text';
  /** May be empty. */
  readonly optional?: boolean;
  /** Focuses the field when it appears. */
  readonly autoFocus?: boolean;
  /** Beside the input. */
  readonly children?: ComponentChildren;
}

export function TextField({
  type = 'text',
  autocomplete = 'off',
  mono,
  prose,
  optional,
  value = '',
  children,
  ...rest
}: TextFieldProps) {
  const { name, label, hint, problem, autoFocus, ...input } = rest;
  const element = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (autoFocus) element.current?.focus();
  }, []);
  const [revealed, setRevealed] = useState(false);
  return (
    <Field {...rest}>
      {(control) => [
        <input
          key="input"
          ref={element}
          {...control}
          {...input}
          class={mono ? 'mono' : ''}
          // The types of JSX want one literal.
          type={(revealed ? 'text' : type) as 'text'}
          required={!optional}
          {...(!prose && { spellcheck: false, autocapitalize: 'none' })}
          autocomplete={autocomplete}
          defaultValue={value}
        />,
        type === 'password' && (
          <button
            key="reveal"
            type="button"
            class="quiet reveal"
            aria-label="Show or hide the typed text"
            onClick={() => setRevealed(!revealed)}
          >
            {revealed ? 'Hide' : 'Show'}
          </button>
        ),
        children,
      ]}
    </Field>
  );
}

/** The code of two-factor sign-in. */
export function CodeField({ autoFocus = false }: { readonly autoFocus?: boolean }) {
  return (
    <TextField
      name="code"
      label="Code"
      autocomplete="one-time-code"
      hint="Of your authenticator app, or a recovery code."
      autoFocus={autoFocus}
    />
  );
}

export interface Choice<T extends string = string> {
  readonly value: T;
  readonly text: string;
}

export interface SelectFieldProps<T extends string> extends FieldProps {
  readonly choices: readonly Choice<T>[];
  /** Chosen at first. Default: the first choice. With `onChange`, the caller keeps it. */
  readonly value?: T;
  readonly onChange?: (value: T) => void;
}

export function SelectField<T extends string>({ choices, value, onChange, ...field }: SelectFieldProps<T>) {
  const kept = onChange && {
    value,
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) => onChange(currentTarget.value as T),
  };
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} {...kept}>
          {choices.map((choice) => (
            // `defaultSelected`, so that a reset form comes back to it.
            <option key={choice.value} value={choice.value} {...{ defaultSelected: choice.value === value }}>
              {choice.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export interface CheckProps {
  readonly name: string;
  readonly value?: string;
  readonly checked?: boolean;
  readonly children: ComponentChildren;
}

/** A checkbox; several of the same name are read with `values.all(name)`. */
export function Check({ name, value = 'on', checked = false, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} defaultChecked={checked} />
      {children}
    </label>
  );
}
