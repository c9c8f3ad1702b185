// Quarantines price spikes: a price further from the last good one than its class allows is not passed on. If the market stays
// there, the third tick in a row near the new level is accepted, and everything after it.
//
// The limit is a percentage of the price between two ticks. If the second came more than ten minutes later, as after an outage or
// a restart, the second tick in a row near the new level is accepted. In the first hour of a session that opened between them,
// any price is accepted. Quarantined prices are counted, logged and listed with the feeds.
import type { InstrumentType } from '@tickwire/contract';
import {
  asEpochMs,
  HOUR_MS,
  type InstrumentSpec,
  isMarketOpen,
  type MarketSymbol,
  MINUTE_MS,
  nextSessionChange,
  type QuoteEvent,
  type TradeEvent,
} from '@tickwire/engine';

/** Percent. No market of these classes has moved this far between two ticks without a halt. */
export const SPIKE_PERCENT: Readonly<Record<InstrumentType, number>> = {
  forex: 5,
  metal: 7,
  index: 10,
  energy: 15,
  crypto: 25,
  equity: 30,
};

const SILENCE_MS = 10 * MINUTE_MS;
/** Markets open with a gap, which shows in the first ticks of a session. */
const OPEN_MS = HOUR_MS;
const ACCEPT_AFTER_TICKS = 3;
/** After a silence, when a jump is more likely to be true. */
const ACCEPT_AFTER_SILENCE_TICKS = 2;
const MAX_QUARANTINED = 100;

export interface Quarantined {
  readonly symbol: MarketSymbol;
  readonly time: number;
  readonly price: number;
  /** The last good price before it. */
  readonly last: number;
}

interface Level {
  price: number;
  time: number;
  /** A possible new level, and the number of ticks in a row near it. */
  suspect: number;
  seen: number;
}

export class SpikeFilter {
  readonly #percent: number | null;
  readonly #levels = new Map<MarketSymbol, Level>();
  /** Newest last. */
  readonly quarantine: Quarantined[] = [];

  /** `percent` replaces the limits per class; `null` uses those. */
  constructor(percent: number | null) {
    this.#percent = percent;
  }

  /** Sets the last good price of the previous run. */
  restore({ symbol, time, bid, ask }: Pick<QuoteEvent, 'symbol' | 'time' | 'bid' | 'ask'>): void {
    this.#levels.set(symbol, { price: (bid + ask) / 2, time, suspect: 0, seen: 0 });
  }

  /** Whether the event may pass. */
  pass({ type, hours }: InstrumentSpec, event: QuoteEvent | TradeEvent): boolean {
    const price = event.kind === 'trade' ? event.price : (event.bid + event.ask) / 2;
    const level = this.#levels.get(event.symbol);
    if (!level) {
      this.#levels.set(event.symbol, { price, time: event.time, suspect: 0, seen: 0 });
      return true;
    }
    const limit = (this.#percent ?? SPIKE_PERCENT[type]) / 100;
    const near = (other: number, share: number): boolean => Math.abs(price / other - 1) <= limit * share;
    const silence = event.time - level.time > SILENCE_MS;
    if (!near(level.price, 1) && !(silence && hasOpened(hours, level.time, event.time))) {
      level.seen = level.suspect > 0 && near(level.suspect, 0.25) ? level.seen + 1 : 1;
      level.suspect = price;
      if (level.seen < (silence ? ACCEPT_AFTER_SILENCE_TICKS : ACCEPT_AFTER_TICKS)) {
        this.#keep({ symbol: event.symbol, time: event.time, price, last: level.price });
        return false;
      }
    }
    level.price = price;
    // A late tick says nothing about how long it was quiet.
    level.time = Math.max(level.time, event.time);
    level.suspect = level.seen = 0;
    return true;
  }

  #keep(quarantined: Quarantined): void {
    this.quarantine.push(quarantined);
    if (this.quarantine.length > MAX_QUARANTINED) this.quarantine.shift();
  }
}

/** Whether a session of the market opened after `from`, at most OPEN_MS before `to`, and lasts at `to`. */
const hasOpened = (hours: InstrumentSpec['hours'], from: number, to: number): boolean =>
  nextSessionChange(hours, asEpochMs(Math.max(from, to - OPEN_MS))) <= to && isMarketOpen(hours, asEpochMs(to));
