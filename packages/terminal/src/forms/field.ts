// One labelled control of a form, with a hint below it and, where the service refused what was entered, the reason.
import { box, button, make, write } from '../elements.ts';

type Control = HTMLInputElement | HTMLSelectElement;

export interface FieldOptions {
  /** As the request names it. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

export interface InputOptions extends FieldOptions {
  readonly type?: 'text' | 'password';
  /** What a password manager is told. */
  readonly autocomplete?: AutoFill;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly value?: string;
  readonly mono?: boolean;
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

let made = 0;

export class Field {
  readonly name: string;
  readonly element: HTMLElement;
  readonly control: Control;
  readonly #problem = make('p', 'problem');
  readonly #hintId: string | null;

  private constructor(options: FieldOptions, control: Control, ...beside: readonly Node[]) {
    const id = `field-${++made}`;
    this.name = options.name;
    this.control = control;
    control.id = id;
    control.name = options.name;
    this.#problem.id = `${id}-problem`;
    this.#hintId = options.hint === undefined ? null : `${id}-hint`;
    const label = make('label', '', options.label);
    label.htmlFor = id;
    this.element = box('div', 'field', label, box('div', 'control', control, ...beside));
    if (options.hint !== undefined && this.#hintId !== null) {
      const hint = make('p', 'hint', options.hint);
      hint.id = this.#hintId;
      this.element.append(hint);
    }
    this.element.append(this.#problem);
    this.refuse('');
    control.addEventListener('input', () => this.refuse(''));
  }

  static input(options: InputOptions): Field {
    const input = make('input', options.mono ? 'mono' : '');
    input.type = options.type ?? 'text';
    input.required = true;
    input.spellcheck = false;
    input.autocapitalize = 'none';
    input.autocomplete = options.autocomplete ?? 'off';
    input.value = options.value ?? '';
    if (options.minLength !== undefined) input.minLength = options.minLength;
    if (options.maxLength !== undefined) input.maxLength = options.maxLength;
    return input.type === 'password' ? new Field(options, input, reveal(input)) : new Field(options, input);
  }

  static select(options: FieldOptions, choices: readonly Choice[], chosen?: string): Field {
    const select = make('select', '');
    for (const { value, text } of choices) select.add(new Option(text, value, false, value === chosen));
    return new Field(options, select);
  }

  get value(): string {
    return this.control.value;
  }

  /** '' takes the reason away. */
  refuse(reason: string): void {
    write(this.#problem, reason);
    this.control.setAttribute('aria-invalid', String(reason !== ''));
    const described = [this.#hintId, reason === '' ? null : this.#problem.id].filter((id) => id !== null);
    if (described.length > 0) this.control.setAttribute('aria-describedby', described.join(' '));
    else this.control.removeAttribute('aria-describedby');
  }
}

/** One look at what was typed is better than typing it twice. */
function reveal(input: HTMLInputElement): HTMLButtonElement {
  const toggle = button('Show', 'quiet reveal', () => {
    const shown = input.type === 'text';
    input.type = shown ? 'password' : 'text';
    toggle.textContent = shown ? 'Show' : 'Hide';
  });
  toggle.setAttribute('aria-label', 'Show or hide what was typed');
  return toggle;
}
