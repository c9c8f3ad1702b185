// Turns the numbers of a block into prices of its instrument. A number is a price if exactly one reading of it is plausible against
// the standing quote; a distance is counted from the entry.
import type { Direction } from '@tickwire/contract';
import type { InstrumentSpec } from '../../market/instrument.ts';
import { fitsDigits, fromTicks, toTicks } from '../../market/price.ts';
import { numberReadings } from './number-readings.ts';
import type { ReadNumber } from './read-block.ts';
import type { Place } from './tokens.ts';
import { UnclearText } from './unclear.ts';

export type PricedInstrument = Pick<InstrumentSpec, 'symbol' | 'type' | 'digits' | 'pipSize'>;

export interface Level {
  readonly price: number;
  readonly place: Place;
}

/** Of the reference price, as in the rules of publishing (P3, P4). */
export const MAX_ENTRY_DISTANCE = 0.2;
export const MAX_LEVEL_DISTANCE = 0.5;
/** A whole number up to this could be a distance in pips … */
const MAX_PIPS = 500;
/** … if as a price it is this far away. */
const PIPS_DISTANCE = 0.1;
/** Prices with this many decimals are never whole numbers by accident. */
const FINE_DIGITS = 4;
/** Publishers count a pip as ten of ours, or ten of ours as one. */
const PIP_SIZES = [1, 10, 0.1];
const DISTANCE_TOLERANCE = 0.06;

/** The price that a number means. `near`: the market for an entry, the entry for other levels. */
export function readPrice(
  number: ReadNumber,
  name: string,
  spec: PricedInstrument,
  near: number,
  within: number,
): Level {
  const place = { from: number.from, to: number.to };
  const plausible = plausibleReadings(number.text, spec, near, within);
  const [price, ...others] = plausible;
  if (price === undefined || others.length > 0) {
    const pips = /^\d+$/.test(number.text) ? `, or “${number.text} pips” for a distance` : '';
    throw new UnclearText(
      isCount(number.text) ? 'price_or_pips' : 'implausible_price',
      `${name} ${number.text} is not a price of ${spec.symbol} near ${near}. Write the price with all its digits${pips}.`,
      place,
    );
  }
  if (couldBePips(number.text, price, spec, near))
    throw new UnclearText(
      'price_or_pips',
      `${name} ${number.text} could be a price or pips. Write the price with its decimals, or “${number.text} pips”.`,
      place,
    );
  return { price, place };
}

export const plausibleReadings = (text: string, { digits }: PricedInstrument, near: number, within: number): number[] =>
  numberReadings(text).filter((value) => fitsDigits(value, digits) && Math.abs(value - near) <= within * near);

const isCount = (text: string): boolean => /^\d+$/.test(text) && Number(text) <= MAX_PIPS;

/** Coins and indices are not traded in pips. */
const couldBePips = (text: string, price: number, { type, digits }: PricedInstrument, near: number): boolean =>
  isCount(text) &&
  type !== 'crypto' &&
  type !== 'index' &&
  (digits >= FINE_DIGITS || Math.abs(price - near) > PIPS_DISTANCE * near);

/** The level of a distance from the entry. `towards`: 1 for above. */
export function readDistance(number: ReadNumber, spec: PricedInstrument, entry: number, towards: 1 | -1): Level {
  const place = { from: number.from, to: number.to };
  const [count, ...others] = numberReadings(number.text);
  if (count === undefined || others.length > 0 || count === 0)
    throw new UnclearText('implausible_price', `${number.text} is not a clear number of pips.`, place);
  if (number.unit === 'points' && spec.type !== 'index')
    throw new UnclearText('price_or_pips', `Points of ${spec.symbol} are not defined. Write pips or prices.`, place);
  const ticks = toTicks(count * spec.pipSize, spec.digits);
  if (!fitsDigits(count * spec.pipSize, spec.digits) || ticks * 2 > toTicks(entry, spec.digits))
    throw new UnclearText(
      'implausible_price',
      `${number.text} pips are not a plausible distance from ${entry}.`,
      place,
    );
  return { price: fromTicks(toTicks(entry, spec.digits) + towards * ticks, spec.digits), place };
}

/** A distance that stands beside a price must agree with it. */
export function checkRemark(number: ReadNumber, price: number, spec: PricedInstrument, entry: number): void {
  if (!number.distance) return;
  const { text, place } = number.distance;
  const distance = Math.abs(price - entry) / spec.pipSize;
  const agrees = numberReadings(text).some((count) =>
    PIP_SIZES.some((size) => Math.abs(count * size - distance) <= Math.max(size, DISTANCE_TOLERANCE * distance)),
  );
  if (!agrees)
    throw new UnclearText(
      'price_or_pips',
      `${number.text} is ${Math.round(distance * 10) / 10} pips from the entry, and the message says ${text}.`,
      place,
    );
}

/** 1 if a level must be above the entry. */
export const sideOf = (field: 'stop' | 'target', direction: Direction): 1 | -1 =>
  (field === 'target') === (direction === 'buy') ? 1 : -1;
