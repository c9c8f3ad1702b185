// Holds back price jumps until a second quote confirms them. Per symbol:
//
// 1. A quote is a jump if its bid or its ask is further than the limit from that of the last good quote; a trade, if it is
//    further than the limit outside the last good quote and trade. At the open of a session any price is good.
// 2. The limit is twice the volatility of the last hour, but at least the floor and at most the ceiling of the class.
// 3. A jump is held. It is confirmed by another quote, of another time, within the limit of it; a jump of trades alone also by
//    another trade. Then the held prices are released, in order, except those outside the range that is now confirmed.
// 4. A quote back within the limit of the last good one refutes it. Then the held prices are dropped. If a quote is within the
//    limit of both, the nearer one counts.
// 5. While anything is held, the symbol is quarantined: its market price is unknown.
import type { InstrumentType } from '@tickwire/contract';
import {
  asEpochMs,
  HOUR_MS,
  type InstrumentSpec,
  isMarketOpen,
  type MarketSymbol,
  MINUTE_MS,
  nextSessionChange,
  type PriceEvent,
  type QuoteEvent,
} from '@tickwire/engine';
import { HourlyVolatility } from './hourly-volatility.ts';

interface Limits {
  readonly floor: number;
  readonly ceiling: number;
}

/** Percent. No market of these classes has moved further than the ceiling between two ticks without a halt. */
export const SPIKE_LIMITS: Readonly<Record<InstrumentType, Limits>> = {
  forex: { floor: 1.5, ceiling: 5 },
  metal: { floor: 2, ceiling: 7 },
  index: { floor: 2, ceiling: 10 },
  energy: { floor: 4, ceiling: 15 },
  crypto: { floor: 4, ceiling: 25 },
  equity: { floor: 6, ceiling: 30 },
};

const VOLATILITY_FACTOR = 2;
/** A jump of exactly the limit passes, whatever the rounding. */
const ROUNDING = 1e-12;
const SILENCE_MS = 10 * MINUTE_MS;
/** Markets open with a gap, which shows in the first ticks of a session. */
const OPEN_MS = HOUR_MS;
/** Prices that a symbol can hold. Beyond it the oldest is dropped. */
export const MAX_HELD = 1_000;
const MAX_LISTED = 100;

export interface Quarantined {
  readonly symbol: MarketSymbol;
  readonly time: number;
  readonly price: number;
  /** The last good price before it. */
  readonly last: number;
}

export interface HeldEvent {
  readonly event: PriceEvent;
  readonly source: string;
  readonly listed: Quarantined;
  /** What has become of it. */
  outcome: 'held' | 'released' | 'dropped';
}

export interface SpikeDecision {
  /** The event itself, if it is held; `null` if it passes. */
  readonly held: HeldEvent | null;
  /** Events held before that are good, in order. They precede the event itself. */
  readonly released: readonly HeldEvent[];
  /** Events held before that were spikes. */
  readonly dropped: readonly HeldEvent[];
}

/** The event passes, and nothing else changes. */
export const PASS: SpikeDecision = { held: null, released: [], dropped: [] };

/** Prices to compare with: quotes with `bid` and `ask`, trades with `low` and `high`. */
interface Reference {
  readonly bid: number;
  readonly ask: number;
  readonly low: number;
  readonly high: number;
}

/** The last good prices of a symbol, and those that wait for confirmation. */
class Level implements Reference {
  bid = 0;
  ask = 0;
  low = 0;
  high = 0;
  time: number;
  /** As a fraction of the price. */
  limit = 0;
  held: HeldEvent[] = [];
  /** The held event that another one can confirm; a quote if any quote is held. */
  suspect: PriceEvent | null = null;
  readonly #limits: Limits;
  readonly #volatility = new HourlyVolatility();
  #hasQuote = false;

  constructor(limits: Limits, first: PriceEvent) {
    this.#limits = limits;
    this.time = first.time;
    this.accept(first);
  }

  accept(event: PriceEvent): void {
    const { time } = event;
    let price: number;
    if (event.kind === 'quote') {
      this.bid = this.low = event.bid;
      this.ask = this.high = event.ask;
      this.#hasQuote = true;
      price = (event.bid + event.ask) / 2;
    } else {
      ({ price } = event);
      if (!this.#hasQuote) this.bid = this.ask = price;
      this.low = Math.min(this.bid, price);
      this.high = Math.max(this.ask, price);
    }
    // A late tick says nothing about how long it was quiet.
    if (time > this.time) this.time = time;
    if (this.#volatility.add(time, price)) {
      const { floor, ceiling } = this.#limits;
      const percent = Math.min(ceiling, Math.max(floor, VOLATILITY_FACTOR * this.#volatility.value * 100));
      this.limit = percent / 100 + ROUNDING;
    }
  }

  /** Same as `isWithin(event, this, this, this.limit)`, for the hot path. */
  isNear(event: PriceEvent): boolean {
    const { bid, ask, low, high, limit } = this;
    if (event.kind === 'quote')
      return Math.abs(event.bid - bid) <= limit * bid && Math.abs(event.ask - ask) <= limit * ask;
    return event.price >= low - limit * low && event.price <= high + limit * high;
  }

  hold(event: PriceEvent, source: string): HeldEvent {
    const { symbol, time } = event;
    const listed = { symbol, time, ...furthestMove(this, event) };
    const held: HeldEvent = { event, source, listed, outcome: 'held' };
    this.held.push(held);
    return held;
  }

  takeHeld(): HeldEvent[] {
    const { held } = this;
    this.held = [];
    this.suspect = null;
    return held;
  }
}

export class SpikeFilter {
  readonly #limits: Limits | null;
  readonly #levels = new Map<MarketSymbol, Level>();
  readonly #dropped: Quarantined[] = [];

  /** `percent` is a fixed limit for all classes; `null` uses the limits of each class. */
  constructor(percent: number | null) {
    this.#limits = percent === null ? null : { floor: percent, ceiling: percent };
  }

  /** The newest spikes, and the prices held now. At most 100, newest last. */
  get quarantine(): readonly Quarantined[] {
    const held = [...this.#levels.values()].flatMap((level) => level.held.map(({ listed }) => listed));
    return [...this.#dropped, ...held].slice(-MAX_LISTED);
  }

  /** Whether a jump of the symbol waits for confirmation. */
  isQuarantined(symbol: MarketSymbol): boolean {
    return (this.#levels.get(symbol)?.held.length ?? 0) > 0;
  }

  /** Sets the last good quote of an earlier run. */
  seed({ type }: InstrumentSpec, quote: QuoteEvent): void {
    this.#levels.set(quote.symbol, new Level(this.#limits ?? SPIKE_LIMITS[type], quote));
  }

  /** Decides about an event, and about those held before it. */
  decide(spec: InstrumentSpec, event: PriceEvent, source: string): SpikeDecision {
    const level = this.#levels.get(event.symbol);
    if (!level) {
      this.#levels.set(event.symbol, new Level(this.#limits ?? SPIKE_LIMITS[spec.type], event));
      return PASS;
    }
    const isGood = level.isNear(event);
    if (isGood && level.suspect === null) {
      level.accept(event);
      return PASS;
    }
    return this.#settle(level, spec, event, source, isGood);
  }

  /** Drops everything that is held, because no more events follow. */
  dropHeld(): HeldEvent[] {
    return [...this.#levels.values()].flatMap((level) => this.#drop(level.takeHeld()));
  }

  #settle(level: Level, spec: InstrumentSpec, event: PriceEvent, source: string, isGood: boolean): SpikeDecision {
    const { suspect, limit } = level;
    const pass = (decision: SpikeDecision): SpikeDecision => {
      level.accept(event);
      return decision;
    };
    // A trade decides nothing while a quote is held.
    const decides = suspect !== null && (event.kind === 'quote' || suspect.kind === 'trade');
    if (decides) {
      const reference = referenceOf(suspect);
      const isNear = isWithin(event, reference, reference, limit) && !(isGood && isNearer(event, level, reference));
      // A line that was sent twice is no second quote.
      if (isNear && event.kind === suspect.kind && event.time !== suspect.time)
        return pass(this.#confirm(level, event));
      if (isGood && !isNear) return pass({ ...PASS, dropped: this.#drop(level.takeHeld()) });
      if (!isGood && !(isNear && event.kind === suspect.kind)) level.suspect = event;
    }
    if (isGood) return pass(PASS);
    if (hasOpened(spec.hours, level.time, event.time)) return pass({ ...PASS, dropped: this.#drop(level.takeHeld()) });
    level.suspect ??= event;
    const held = level.hold(event, source);
    return { held, released: [], dropped: this.#drop(level.held.splice(0, level.held.length - MAX_HELD)) };
  }

  /** Releases the held events that lie between the last good prices and the confirmed ones. */
  #confirm(level: Level, event: PriceEvent): SpikeDecision {
    const to = referenceOf(event);
    const held = level.takeHeld();
    const { bid, ask, low, high, limit } = level;
    const from = { bid, ask, low, high };
    const [released, dropped]: [HeldEvent[], HeldEvent[]] = [[], []];
    for (const each of held) (isWithin(each.event, from, to, limit) ? released : dropped).push(each);
    for (const each of released) {
      each.outcome = 'released';
      level.accept(each.event);
    }
    return { held: null, released, dropped: this.#drop(dropped) };
  }

  #drop(spikes: HeldEvent[]): HeldEvent[] {
    for (const spike of spikes) {
      spike.outcome = 'dropped';
      this.#dropped.push(spike.listed);
    }
    if (this.#dropped.length > MAX_LISTED) this.#dropped.splice(0, this.#dropped.length - MAX_LISTED);
    return spikes;
  }
}

/** Whether the event lies between two references, or at most `limit` outside of them. */
function isWithin(event: PriceEvent, a: Reference, b: Reference, limit: number): boolean {
  const [below, above] = [1 - limit, 1 + limit];
  if (event.kind === 'trade')
    return event.price >= Math.min(a.low, b.low) * below && event.price <= Math.max(a.high, b.high) * above;
  return (
    event.bid >= Math.min(a.bid, b.bid) * below &&
    event.bid <= Math.max(a.bid, b.bid) * above &&
    event.ask >= Math.min(a.ask, b.ask) * below &&
    event.ask <= Math.max(a.ask, b.ask) * above
  );
}

/** Whether the event is nearer to the first reference than to the second. */
function isNearer(event: PriceEvent, first: Reference, second: Reference): boolean {
  const price = middle(referenceOf(event));
  return Math.abs(price - middle(first)) <= Math.abs(price - middle(second));
}

/** The price that moved furthest, and the last good one on its side. */
function furthestMove({ bid, ask, low, high }: Reference, event: PriceEvent): Pick<Quarantined, 'price' | 'last'> {
  if (event.kind === 'trade') return { price: event.price, last: event.price > high ? high : low };
  const isBid = Math.abs(event.bid / bid - 1) >= Math.abs(event.ask / ask - 1);
  return isBid ? { price: event.bid, last: bid } : { price: event.ask, last: ask };
}

const middle = ({ bid, ask }: Reference): number => (bid + ask) / 2;

function referenceOf(event: PriceEvent): Reference {
  const [bid, ask] = event.kind === 'quote' ? [event.bid, event.ask] : [event.price, event.price];
  return { bid, ask, low: bid, high: ask };
}

/** Whether a session of the market opened during a silence after `from`, at most OPEN_MS before `to`, and lasts at `to`. */
const hasOpened = (hours: InstrumentSpec['hours'], from: number, to: number): boolean =>
  to - from > SILENCE_MS &&
  nextSessionChange(hours, asEpochMs(Math.max(from, to - OPEN_MS))) <= to &&
  isMarketOpen(hours, asEpochMs(to));
