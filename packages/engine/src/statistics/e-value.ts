// Anytime-valid evidence against "the mean R of a decision is at most 0": the wealth of ten gamblers who start with 1 and bet
// the fractions 0.02, 0.04 … 0.20 on each decision, and its mean. If the hypothesis holds, the mean ever reaches 20 with a
// probability of at most 5 %, whenever one looks (Ville's inequality). Rules EV1 to EV3 of docs/signals.md, "Track records".

/** The fractions are k / 50 for k from 1 to this. */
const FRACTIONS = 10;
/** 1 + (k / 50) · (units / 10,000) = (SCALE + k · units) / SCALE, with one rounding. */
const SCALE = 500_000;
/** A decision counts at most 10 R. */
const MAX_UNITS = 100_000;
/** A decision below −5 R ends the evidence: the factor of the greatest fraction would be negative. */
const MIN_UNITS = -50_000;
/** Greater products are reduced to this. The reduced process is never above the true one, so the guarantee holds. */
const MAX_PRODUCT = 1e300;

/** Units of a decision as it counts, without the limit below. */
export const cappedUnits = (units: number): number => Math.min(units, MAX_UNITS);

export class EProcess {
  readonly #products = new Float64Array(FRACTIONS).fill(1);

  /** Adds the next decision, in units of 1e-4 R. */
  add(units: number): void {
    multiply(this.#products, units);
  }

  reset(): void {
    this.#products.fill(1);
  }

  /** The e-value after the decisions added so far and then those of `more`, which are not kept. */
  value(more: readonly number[] = []): number {
    let products = this.#products;
    if (more.length > 0) {
      products = products.slice();
      for (const units of more) multiply(products, units);
    }
    let sum = 0;
    for (let index = 0; index < FRACTIONS; index++) sum += products[index]!;
    return sum / FRACTIONS;
  }
}

function multiply(products: Float64Array, units: number): void {
  if (units < MIN_UNITS) {
    products.fill(0);
    return;
  }
  const counted = cappedUnits(units);
  for (let index = 0; index < FRACTIONS; index++)
    products[index] = Math.min(products[index]! * ((SCALE + (index + 1) * counted) / SCALE), MAX_PRODUCT);
}

/** Greatest published e-value. */
const MAX_PUBLISHED = 1e12;

/** Rounded to four significant digits, at most 1e12. */
export const publishedEValue = (value: number): number =>
  value >= MAX_PUBLISHED ? MAX_PUBLISHED : Number(value.toPrecision(4));
