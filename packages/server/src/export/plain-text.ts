// Text of a layout with its own form of lines. Numbers are plain decimals: Lean reads no exponents.

const FULL_CHARACTERS = 1 << 16;
const encoder = new TextEncoder();

export class PlainText {
  #text = '';

  get isEmpty(): boolean {
    return this.#text === '';
  }

  /** Long enough to be written. */
  get isFull(): boolean {
    return this.#text.length >= FULL_CHARACTERS;
  }

  text(text: string): this {
    this.#text += text;
    return this;
  }

  comma(): this {
    this.#text += ',';
    return this;
  }

  number(value: number): this {
    this.#text += decimalOf(value);
    return this;
  }

  /** The text as UTF-8; the next one begins empty. */
  take(): Uint8Array {
    const bytes = encoder.encode(this.#text);
    this.#text = '';
    return bytes;
  }
}

/** The shortest decimal that reads back as the same number, without an exponent. `value` must be finite. */
export function decimalOf(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, first, rest = '', exponent] = match;
  const digits = first! + rest;
  const shift = Number(exponent);
  return shift < 0 ? `${sign}0.${'0'.repeat(-shift - 1)}${digits}` : sign + digits.padEnd(shift + 1, '0');
}
