// Makes a draft of what a block says: one direction, one entry, one stop, one to five targets, each on its side of the entry.
import { type Direction, MAX_TARGETS, type SignalTarget, WHOLE } from '@tickwire/contract';
import type { MarketSymbol } from '../../market/instrument.ts';
import {
  checkRemark,
  type Level,
  MAX_ENTRY_DISTANCE,
  MAX_LEVEL_DISTANCE,
  type PricedInstrument,
  plausibleReadings,
  readDistance,
  readPrice,
  sideOf,
} from './draft-levels.ts';
import type { Breakeven } from './notes-in-text.ts';
import { numberReadings } from './number-readings.ts';
import type { ReadBlock, ReadNumber, ReadTarget } from './read-block.ts';
import type { Place } from './tokens.ts';
import { UnclearText } from './unclear.ts';

/** Bid and ask. */
export interface MarketPrice {
  readonly bid: number;
  readonly ask: number;
}

export interface ParsedPart extends Place {
  /** A field of a publication: `symbol`, `stop_loss`, `targets[0]`. */
  readonly field: string;
}

export interface ParsedSignal {
  readonly symbol: MarketSymbol;
  readonly direction: Direction;
  /** `null`: a market order. */
  readonly entry: number | null;
  readonly stopLoss: number;
  /** Nearest first. The fractions add up to 1. */
  readonly targets: readonly SignalTarget[];
  readonly breakevenAfter: number | null;
  /** Which part of the message each field came from. */
  readonly parts: readonly ParsedPart[];
  /** What was left out of the message, as sentences. */
  readonly notes: readonly string[];
}

export interface ParsingInput {
  readonly named: Place;
  readonly spec: PricedInstrument;
  readonly market: MarketPrice;
  readonly read: ReadBlock;
  readonly breakeven: Breakeven | null;
}

/** How far a price beside “now” may be from the market, as a part of the distance to the stop. */
const NOW_DISTANCE = 0.25;

export function parsedSignal(input: ParsingInput): ParsedSignal {
  const { named, spec, market, read, breakeven } = input;
  const side = directionOf(read);
  const { direction } = side;
  const marketEntry = direction === 'buy' ? market.ask : market.bid;
  const stated = entryOf(read, spec, marketEntry);
  if (!stated && !read.now)
    throw new UnclearText('no_entry', 'There is no entry. Write a price, or “now” for a market order.', null);
  if (read.now && read.order)
    throw new UnclearText(
      'order_type',
      `“Now” is a market order and cannot be a ${read.order.kind} order.`,
      read.order,
    );
  const reference = read.now ? marketEntry : stated!.price;
  const stop = stopOf(read, spec, reference, direction);
  const { levels: unsorted, dropped } = targetsOf(read, spec, reference, direction);
  checkSides(direction, reference, stop, unsorted, read.now !== null);
  checkOrdinals(read.targets);
  const levels = inOrder(unsorted, direction);
  if (read.now && stated) checkNow(stated, marketEntry, stop.price);
  if (read.order && stated) checkOrder(read.order.kind, direction, stated, marketEntry);
  const notes = dropped.map((name) => `${name} has no price and was left out.`);
  if (read.now && stated) notes.push(`A market order has no entry: ${stated.price} was left out.`);
  if (levels.some(({ isDistance }) => isDistance) || stop.isDistance)
    notes.push(`1 pip of ${spec.symbol} is ${spec.pipSize}.`);
  checkBreakeven(breakeven, levels.length);
  return {
    symbol: spec.symbol,
    direction,
    entry: read.now ? null : reference,
    stopLoss: stop.price,
    targets: withFractions(levels),
    breakevenAfter: breakeven?.after ?? null,
    parts: [
      part('symbol', named),
      part('direction', side),
      read.now ? part('order', read.now) : part('entry', stated!.place),
      part('stop_loss', stop.place),
      ...levels.map(({ place }, index) => part(levels.length === 1 ? 'take_profit' : `targets[${index}]`, place)),
      ...(breakeven ? [part('breakeven_after', breakeven)] : []),
    ],
    notes,
  };
}

const part = (field: string, { from, to }: Place): ParsedPart => ({ field, from, to });

function directionOf({ directions }: ReadBlock): Place & { readonly direction: Direction } {
  const [first] = directions;
  if (!first) throw new UnclearText('no_direction', 'There is no direction. Write buy or sell.', null);
  const other = directions.find(({ direction }) => direction !== first.direction);
  if (other) throw new UnclearText('two_directions', 'Both buy and sell are named. Write one signal at a time.', other);
  return first;
}

function entryOf({ entries }: ReadBlock, spec: PricedInstrument, near: number): Level | null {
  const levels = entries.map((entry) => readPrice(entry, 'Entry', spec, near, MAX_ENTRY_DISTANCE));
  const other = levels.find(({ price }) => price !== levels[0]!.price);
  if (other)
    throw new UnclearText(
      'two_entries',
      `${other.price} is a second entry. A signal has one entry price.`,
      other.place,
    );
  return levels[0] ?? null;
}

interface DraftLevel extends Level {
  readonly isDistance: boolean;
}

function levelOf(
  number: ReadNumber,
  name: string,
  { spec, reference, towards }: { spec: PricedInstrument; reference: number; towards: 1 | -1 },
): DraftLevel {
  if (number.unit !== 'price') return { ...readDistance(number, spec, reference, towards), isDistance: true };
  const level = readPrice(number, name, spec, reference, MAX_LEVEL_DISTANCE);
  checkRemark(number, level.price, spec, reference);
  return { ...level, isDistance: false };
}

function stopOf({ stops }: ReadBlock, spec: PricedInstrument, reference: number, direction: Direction): DraftLevel {
  const towards = sideOf('stop', direction);
  const levels = stops.map((stop) => levelOf(stop, 'SL', { spec, reference, towards }));
  const [first] = levels;
  if (!first) throw new UnclearText('no_stop', 'There is no stop loss. Write SL and its price.', null);
  const other = levels.find(({ price }) => price !== first.price);
  if (other)
    throw new UnclearText('two_stops', `${other.price} is a second stop. A signal has one stop loss.`, other.place);
  return first;
}

interface DraftTarget extends DraftLevel {
  readonly percent: number | null;
  readonly ordinal: number | null;
}

interface ReadTargets {
  /** In the order of the message. */
  readonly levels: readonly DraftTarget[];
  /** Names of targets without a price. */
  readonly dropped: readonly string[];
}

function targetsOf(
  { targets }: ReadBlock,
  spec: PricedInstrument,
  reference: number,
  direction: Direction,
): ReadTargets {
  const open = targets.filter(({ value }) => value === null);
  const missing = open.find(({ isOpen }) => !isOpen);
  if (missing) throw new UnclearText('no_target', `TP${missing.ordinal} has no price.`, missing.place);
  const priced = joinGroups(targets, spec, reference);
  if (priced.length === 0)
    throw open.length > 0
      ? new UnclearText(
          'open_target',
          'A target without a price cannot be judged. Write at least one price.',
          open[0]!.place,
        )
      : new UnclearText('no_target', 'There is no target. Write TP and its price.', null);
  if (priced.length > MAX_TARGETS)
    throw new UnclearText(
      'too_many_targets',
      `A signal has at most ${MAX_TARGETS} targets.`,
      priced[MAX_TARGETS]!.place,
    );
  const towards = sideOf('target', direction);
  const levels = priced.map(({ value, ordinal }) => ({
    ...levelOf(value, `TP${ordinal ?? ''}`, { spec, reference, towards }),
    percent: percentOf(value),
    ordinal,
  }));
  return { levels, dropped: open.map(({ ordinal }) => (ordinal === null ? 'A target' : `TP${ordinal}`)) };
}

type PricedTarget = ReadTarget & { readonly value: ReadNumber };

/** `68 500 69 000` is two prices if the groups alone are none. */
function joinGroups(targets: readonly ReadTarget[], spec: PricedInstrument, near: number): readonly PricedTarget[] {
  const priced = targets.filter((target): target is PricedTarget => target.value !== null);
  const isPrice = ({ text }: ReadNumber): boolean => plausibleReadings(text, spec, near, MAX_LEVEL_DISTANCE).length > 0;
  if (!priced.some(({ value }) => value.afterSpace && !isPrice(value))) return priced;
  const joined: PricedTarget[] = [];
  for (const target of priced) {
    const last = joined.at(-1)?.value;
    if (!last || !target.value.afterSpace || isPrice(last)) joined.push({ ...target, value: { ...target.value } });
    else [last.text, last.to] = [`${last.text} ${target.value.text}`, target.value.to];
  }
  return joined;
}

/** Nearest first. Numbered targets must be in this order already. */
function inOrder(levels: readonly DraftTarget[], direction: Direction): readonly DraftTarget[] {
  const towards = sideOf('target', direction);
  const sorted = levels.toSorted((a, b) => towards * (a.price - b.price));
  for (const [index, { price, place, ordinal }] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next?.price === price) throw new UnclearText('target_order', `${price} is a target twice.`, next.place);
    if (ordinal !== null && levels[index]!.price !== price)
      throw new UnclearText('target_order', 'The numbers of the targets do not follow their prices.', place);
  }
  return sorted;
}

/** Numbered targets count from 1 without a gap. The first may do without: `TP 3340 TP2 3350`. */
function checkOrdinals(targets: readonly ReadTarget[]): void {
  const isFirstBare = targets[0]?.ordinal === null && targets[1]?.ordinal === 2;
  const numbered = (isFirstBare ? targets.slice(1) : targets).filter(({ ordinal }) => ordinal !== null);
  for (const [index, { ordinal, place }] of numbered.entries()) {
    const wanted = index + (isFirstBare ? 2 : 1);
    if (ordinal !== wanted) throw new UnclearText('target_order', `TP${wanted} is missing or not in its place.`, place);
  }
}

function percentOf({ percent }: ReadNumber): number | null {
  if (!percent) return null;
  const [value, ...others] = numberReadings(percent.text);
  if (value === undefined || others.length > 0 || value <= 0 || value > 100)
    throw new UnclearText('percent', `${percent.text} % is not a part of the position.`, percent.place);
  return value;
}

/** The stated parts, or equal parts with the remainder on the last. */
function withFractions(levels: readonly DraftTarget[]): readonly SignalTarget[] {
  if (levels.every(({ percent }) => percent === null)) {
    const equal = Math.floor(WHOLE / levels.length);
    return levels.map(({ price }, index) => ({
      price,
      fraction: (index < levels.length - 1 ? equal : WHOLE - equal * (levels.length - 1)) / WHOLE,
    }));
  }
  const parts = levels.map(({ percent }) => Math.round(((percent ?? 0) * WHOLE) / 100));
  const without = levels.find(({ percent }) => percent === null);
  if (without || parts.reduce((sum, fraction) => sum + fraction, 0) !== WHOLE)
    throw new UnclearText('percent', 'The parts of the targets must add up to 100 %.', (without ?? levels[0])!.place);
  return levels.map(({ price }, index) => ({ price, fraction: parts[index]! / WHOLE }));
}

function checkSides(
  direction: Direction,
  entry: number,
  stop: Level,
  targets: readonly Level[],
  isMarket: boolean,
): void {
  const name = isMarket ? `the market price, ${entry}` : `the entry, ${entry}`;
  const check = (field: 'stop' | 'target', { price, place }: Level): void => {
    const towards = sideOf(field, direction);
    if (towards * (price - entry) > 0) return;
    const label = field === 'stop' ? 'stop loss' : 'target';
    const expected = towards === 1 ? 'above' : 'below';
    throw new UnclearText(
      'wrong_side',
      `The ${label} of a ${direction} must be ${expected} ${name}. It is ${price}.`,
      place,
    );
  };
  check('stop', stop);
  for (const target of targets) check('target', target);
}

function checkNow({ price, place }: Level, market: number, stop: number): void {
  if (Math.abs(price - market) <= NOW_DISTANCE * Math.abs(market - stop)) return;
  throw new UnclearText(
    'order_type',
    `The message says now and ${price}, but the market is at ${market}. Leave out one of them.`,
    place,
  );
}

/** A limit order waits on the better side of the market, a stop order on the worse. */
function checkOrder(kind: 'limit' | 'stop', direction: Direction, { price, place }: Level, market: number): void {
  const isBelow = (kind === 'limit') === (direction === 'buy');
  if (isBelow ? price < market : price > market) return;
  const expected = isBelow ? 'below' : 'above';
  throw new UnclearText(
    'order_type',
    `A ${direction} ${kind} must be ${expected} the market price, ${market}. It is ${price}.`,
    place,
  );
}

function checkBreakeven(breakeven: Breakeven | null, targets: number): void {
  if (!breakeven || breakeven.after < targets) return;
  throw new UnclearText(
    'target_order',
    `The stop cannot move after TP${breakeven.after}: ${targets === 1 ? 'there is one target' : `TP${targets} closes the signal`}.`,
    breakeven,
  );
}
