// Takes what venues publish of perpetuals beside prices. The figures of a perpetual are merged, and enter the journal at most once a
// second; each liquidation enters it at once.
import type { MarketSymbol } from '@tickwire/engine';
import type { Journal } from '../journal/journal.ts';
import type { LiquidationEvent, PerpetualEvent } from '../journal/perpetual-events.ts';
import type { Liquidation, PerpetualUpdate } from './feeds/mapper.ts';

/** How often changed figures enter the journal. */
export const PERPETUAL_MS = 1_000;
/** Figures that stay the same are repeated this often: their time shows that the venue still sends them. */
const REPEAT_MS = 10_000;

/** Of a symbol, that are compared with what arrives: while a connection takes the place of another, both deliver. */
const COMPARED = 50;

const FIGURES = [
  'markPrice',
  'indexPrice',
  'fundingRate',
  'fundingIntervalMs',
  'nextFundingTime',
  'openInterest',
] as const satisfies readonly (keyof PerpetualEvent & keyof PerpetualUpdate)[];

/** Of one venue. */
export interface PerpetualSink {
  figures(updates: readonly PerpetualUpdate[]): void;
  liquidations(liquidations: readonly Liquidation[]): void;
}

export class PerpetualIntake {
  readonly #journal: Pick<Journal, 'append'>;
  /** The newest figures in the journal. */
  readonly #published = new Map<MarketSymbol, PerpetualEvent>();
  /** The figures that enter it next. */
  readonly #waiting = new Map<MarketSymbol, PerpetualEvent>();

  /** The newest of each symbol. */
  readonly #liquidations = new Map<MarketSymbol, LiquidationEvent[]>();

  constructor(journal: Pick<Journal, 'append'>) {
    this.#journal = journal;
  }

  /** Figures of a venue that does not own a symbol are kept, in case that it takes over: some venues send only what changes. */
  sinkFor(venue: string, owns: (symbol: MarketSymbol) => boolean): PerpetualSink {
    const newest = new Map<MarketSymbol, PerpetualEvent>();
    return {
      figures: (updates) => {
        for (const update of updates) {
          const { symbol } = update;
          const next = merged(newest.get(symbol) ?? unknown(symbol, venue), update);
          newest.set(symbol, next);
          if (owns(symbol)) this.#offer(next);
        }
      },
      liquidations: (liquidations) =>
        this.#journal.append(
          liquidations
            .filter(({ symbol }) => owns(symbol))
            .map((each): LiquidationEvent => ({ kind: 'liquidation', venue, ...each }))
            .filter((each) => this.#isNew(each)),
        ),
    };
  }

  #isNew(event: LiquidationEvent): boolean {
    const { symbol, venue, time, side, price, size } = event;
    const last = this.#liquidations.get(symbol) ?? [];
    const isSame = (each: LiquidationEvent): boolean =>
      each.time === time && each.side === side && each.price === price && each.size === size && each.venue === venue;
    if (last.some(isSame)) return false;
    this.#liquidations.set(symbol, [...last, event].slice(-COMPARED));
    return true;
  }

  /** Publishes the figures that have changed. */
  flush(): void {
    const events = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const event of events) this.#published.set(event.symbol, event);
    this.#journal.append(events);
  }

  #offer(next: PerpetualEvent): void {
    const { symbol } = next;
    const last = this.#published.get(symbol);
    if (!last || this.#waiting.has(symbol) || next.time - last.time >= REPEAT_MS || isOther(next, last))
      this.#waiting.set(symbol, next);
  }
}

const unknown = (symbol: MarketSymbol, venue: string): PerpetualEvent => ({
  kind: 'perpetual',
  symbol,
  venue,
  time: 0 as PerpetualEvent['time'],
  markPrice: null,
  indexPrice: null,
  fundingRate: null,
  fundingIntervalMs: null,
  nextFundingTime: null,
  openInterest: null,
});

/** Channels of a venue may be late: the time never goes back. */
const merged = (known: PerpetualEvent, update: PerpetualUpdate): PerpetualEvent => ({
  ...known,
  ...update,
  time: update.time > known.time ? update.time : known.time,
});

const isOther = (one: PerpetualEvent, other: PerpetualEvent): boolean =>
  one.venue !== other.venue || FIGURES.some((name) => one[name] !== other[name]);
