// Reads the fields of a condition from the form and collects what is wrong with them, by the names of the fields.

/** The relevant part of `FormValues`. */
export interface FieldTexts {
  text(name: string): string;
  all(name: string): readonly string[];
}

/** The name of a field in the form. Several conditions have fields of the same name. */
export const fieldName = (at: number, name: string): string => `condition-${at}-${name}`;

export class ConditionValues {
  readonly problems = new Map<string, string>();
  readonly #texts: FieldTexts;
  readonly #at: number;

  constructor(texts: FieldTexts, at: number) {
    this.#texts = texts;
    this.#at = at;
  }

  text(name: string): string {
    return this.#texts.text(fieldName(this.#at, name)).trim();
  }

  all(name: string): readonly string[] {
    return this.#texts.all(fieldName(this.#at, name));
  }

  /** Texts between commas. */
  list(name: string): readonly string[] {
    return this.text(name)
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  }

  required(name: string): string | null {
    const text = this.text(name);
    return text === '' ? this.reject(name, 'Must not be empty.') : text;
  }

  /** `null` if the text is not a number. A comma counts as a decimal point. */
  numberIn(text: string): number | null {
    const plain = text.replace(',', '.').replace('−', '-');
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
  }

  number(name: string): number | null {
    return this.numberIn(this.text(name)) ?? this.reject(name, 'Must be a number.');
  }

  positive(name: string): number | null {
    const value = this.numberIn(this.text(name));
    return value !== null && value > 0 ? value : this.reject(name, 'Must be a number above 0.');
  }

  whole(name: string, least: number, most: number): number | null {
    const value = this.numberIn(this.text(name));
    if (value !== null && Number.isInteger(value) && value >= least && value <= most) return value;
    return this.reject(name, `Must be a whole number between ${least} and ${most}.`);
  }

  reject(name: string, reason: string): null {
    this.problems.set(fieldName(this.#at, name), reason);
    return null;
  }
}
