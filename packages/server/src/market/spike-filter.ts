// Quarantines price spikes: a price further from the last good one than its class allows is not passed on. If the market stays
// there, the third tick in a row near the new level is accepted, and everything after it.
//
// The limit is a percentage of the price between two ticks. If they are more than ten minutes apart, as after an outage, the
// second tick in a row near the new level is accepted. If a session opened between them, any price is accepted. Quarantined
// prices are counted, logged and listed with the feeds.
import type { InstrumentType } from '@tickwire/contract';
import {
  asEpochMs,
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
    const silence = Math.abs(event.time - level.time) > SILENCE_MS;
    if (!near(level.price, 1) && !(silence && hasOpened(hours, level.time, event.time))) {
      level.seen = level.suspect > 0 && near(level.suspect, 0.25) ? level.seen + 1 : 1;
      level.suspect = price;
      if (level.seen < (silence ? ACCEPT_AFTER_SILENCE_TICKS : ACCEPT_AFTER_TICKS)) {
        this.#keep({ symbol: event.symbol, time: event.time, price, last: level.price });
        return false;
      }
    }
    level.price = price;
    level.time = silence ? event.time : Math.max(level.time, event.time);
    level.suspect = level.seen = 0;
    return true;
  }

  #keep(quarantined: Quarantined): void {
    this.quarantine.push(quarantined);
    if (this.quarantine.length > MAX_QUARANTINED) this.quarantine.shift();
  }
}

/** Whether a session of the market opened after `from` and lasts at `to`. */
const hasOpened = (hours: InstrumentSpec['hours'], from: number, to: number): boolean =>
  nextSessionChange(hours, asEpochMs(from)) <= to && isMarketOpen(hours, asEpochMs(to));
