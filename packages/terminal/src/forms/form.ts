// A form that is sent by script: one request at a time, and what the service refuses is said where it belongs.
import { box, make, write } from '../elements.ts';
import { explain } from './failure.ts';
import type { Field } from './field.ts';

export interface FormOptions {
  readonly fields: readonly Field[];
  /** Between the fields and the button. */
  readonly more?: readonly Node[];
  readonly submit: string;
  readonly tone?: 'primary' | 'danger';
  /** Throws why it was refused. */
  readonly send: () => Promise<void>;
}

export class Form {
  readonly element = make('form', 'form');
  readonly #message = make('p', 'message');
  readonly #submit: HTMLButtonElement;
  readonly #options: FormOptions;

  constructor(options: FormOptions) {
    this.#options = options;
    this.#submit = make('button', options.tone ?? 'primary', options.submit);
    this.#message.setAttribute('role', 'status');
    // Were the script ever not to take it, nothing that was typed may end up in an address.
    this.element.method = 'post';
    this.element.append(
      ...options.fields.map(({ element }) => element),
      ...(options.more ?? []),
      this.#message,
      box('div', 'actions', this.#submit),
    );
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send();
    });
  }

  focus(): void {
    const { fields } = this.#options;
    (fields.find(({ value }) => value === '') ?? fields[0])?.control.focus();
  }

  reset(): void {
    this.element.reset();
    for (const field of this.#options.fields) field.refuse('');
  }

  /** Something about the form as a whole. */
  say(text: string, tone: 'calm' | 'good' | 'bad' = 'calm'): void {
    this.#message.dataset.tone = tone;
    write(this.#message, text);
  }

  async #send(): Promise<void> {
    if (this.#submit.disabled) return;
    this.#submit.disabled = true;
    this.say('');
    try {
      await this.#options.send();
    } catch (error) {
      this.refuse(error);
    } finally {
      this.#submit.disabled = false;
    }
  }

  refuse(error: unknown): void {
    const { fields } = this.#options;
    const failure = explain(
      error,
      fields.map(({ name }) => name),
    );
    for (const field of fields) field.refuse(failure.fields.get(field.name) ?? '');
    this.say(failure.general, 'bad');
    fields.find(({ name }) => failure.fields.has(name))?.control.focus();
  }
}
