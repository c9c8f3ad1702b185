// Text of a layout with its own form of lines, as bytes. Numbers are plain decimals: Lean reads no exponents.
import { MAX_CELL, NumberCells } from '../history/tables/text-cells.ts';

const FULL_BYTES = 1 << 16;
/** Numbers between these are written without an exponent by `String`. */
const MIN_PLAIN = 1e-6;
const MAX_PLAIN = 1e21;
const COMMA = 44;

export class PlainText {
  #bytes = new Uint8Array(2 * FULL_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  /** Prices and sizes have different numbers of decimals. */
  readonly #prices = new NumberCells();
  readonly #sizes = new NumberCells();

  get isEmpty(): boolean {
    return this.#at === 0;
  }

  /** Long enough to be written. */
  get isFull(): boolean {
    return this.#at >= FULL_BYTES;
  }

  /** Of ASCII characters. */
  text(text: string): this {
    this.#reserve(text.length);
    for (let index = 0; index < text.length; index++) this.#bytes[this.#at++] = text.charCodeAt(index);
    return this;
  }

  comma(): this {
    this.#reserve(1);
    this.#bytes[this.#at++] = COMMA;
    return this;
  }

  /** A price, or an integer. */
  number(value: number): this {
    return this.#number(this.#prices, value);
  }

  size(value: number): this {
    return this.#number(this.#sizes, value);
  }

  /** The text; the next one begins empty. */
  take(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#at);
    this.#at = 0;
    return bytes;
  }

  #number(cells: NumberCells, value: number): this {
    const size = value < 0 ? -value : value;
    if (size !== 0 && (size < MIN_PLAIN || size >= MAX_PLAIN)) return this.text(decimalOf(value));
    this.#reserve(MAX_CELL);
    this.#at = cells.write(value, this.#view, this.#at);
    return this;
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * this.#bytes.length + length);
    grown.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
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
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${digits}`;
  return sign + digits.padEnd(shift + 1, '0');
}
