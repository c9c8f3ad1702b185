// Where every feed comes in: events are checked against the instrument, applied to the engine and entered in the journal.
// What is refused is refused by name: counted, and logged with what to do about it.
import {
  asEpochMs,
  type Engine,
  type EngineEvent,
  type FeedEvent,
  fitsDigits,
  type InstrumentSpec,
  type MarketSymbol,
  type MinuteEvent,
} from '@tickwire/engine';
import type { FeedSink } from '../feeds/feed.ts';
import type { Log } from '../ops/log.ts';
import { Histogram } from '../ops/metrics.ts';
import type { Journal } from './journal.ts';
import type { SpikeFilter } from './spike-filter.ts';

/** Clocks of venues run ahead by seconds at times; more is a wrong time, not a fast one. */
const MAX_AHEAD_MS = 10_000;
/** The log names a fault of one instrument once in this time; the metrics count every one. */
const REPEAT_MS = 60_000;

export type Refusal =
  | 'unknown_symbol'
  | 'bad_price'
  | 'crossed_quote'
  | 'finer_than_digits'
  | 'bad_size'
  | 'future_time'
  | 'bad_time'
  | 'spike';

const REMEDIES: Readonly<Record<Refusal, string>> = {
  unknown_symbol: 'the instrument is not in the catalogue: add it with TICKWIRE_INSTRUMENTS',
  bad_price: 'the price is not a positive number',
  crossed_quote: 'the bid is above the ask',
  finer_than_digits: 'the price has more decimals than the instrument: raise its digits with TICKWIRE_INSTRUMENTS',
  bad_size: 'the size is negative or not a number',
  future_time: 'the time lies in the future: check the clock of this machine and of the source',
  spike:
    'the price is absurdly far from the last one: it is in quarantine, and believed if the market stays there (TICKWIRE_SPIKE_PERCENT)',
  bad_time: 'the time is not a whole number of milliseconds',
};

export interface IntakeOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly engine: Engine;
  readonly journal: Journal;
  readonly log: Log;
  /** Keeps absurd jumps out; left out where the source cannot have any. */
  readonly spikes?: SpikeFilter;
  readonly now?: () => number;
}

export class Intake {
  readonly refused = new Map<Refusal, number>();
  readonly latency = new Histogram();
  accepted = 0;
  readonly #options: IntakeOptions;
  readonly #specs: Map<MarketSymbol, InstrumentSpec>;
  readonly #named = new Map<string, number>();
  readonly #now: () => number;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#specs = new Map(options.instruments.map((spec) => [spec.symbol, spec]));
    this.#now = options.now ?? Date.now;
  }

  /** The intake as one source sees it. */
  from(source: string): FeedSink {
    return {
      accept: (events) => this.accept(events, source),
      fill: (minutes) => this.fill(minutes, source),
    };
  }

  /** Takes events in the order they happened; each is accepted or refused on its own, which `onRefused` is told. */
  accept(
    events: Iterable<FeedEvent>,
    source: string,
    onRefused?: (index: number, refusal: Refusal, why: string) => void,
  ): void {
    const started = performance.now();
    const latest = this.#now() + MAX_AHEAD_MS;
    const out: EngineEvent[] = [];
    let index = -1;
    for (const event of events) {
      index++;
      const refusal = this.#check(event, latest) ?? this.#jump(event);
      if (refusal) {
        this.#refuse(refusal, event);
        onRefused?.(index, refusal, REMEDIES[refusal]);
      } else {
        this.accepted++;
        this.#options.engine.apply(event, out);
      }
    }
    this.#options.journal.append(out, source);
    this.latency.observe((performance.now() - started) / 1000);
  }

  /** Takes whole minutes where a source had no ticks. They come from the service's own sources, so nothing is refused. */
  fill(minutes: Iterable<MinuteEvent>, source: string): void {
    const out: EngineEvent[] = [];
    for (const minute of minutes) this.#options.engine.apply(minute, out);
    this.#options.journal.append(out, source);
  }

  /** Time passes: bars close and days roll by it. */
  clock(now: number): void {
    const out: EngineEvent[] = [];
    this.#options.engine.apply({ kind: 'clock', time: asEpochMs(now) }, out);
    this.#options.journal.append(out);
  }

  /** Only what is sound in itself is held against the market. */
  #jump(event: FeedEvent): Refusal | null {
    const { spikes } = this.#options;
    if (!spikes || (event.kind !== 'quote' && event.kind !== 'trade')) return null;
    return spikes.pass(this.#specs.get(event.symbol)!, event) ? null : 'spike';
  }

  #check(event: FeedEvent, latest: number): Refusal | null {
    if (!Number.isInteger(event.time) || event.time < 0) return 'bad_time';
    if (event.time > latest) return 'future_time';
    if (event.kind !== 'quote' && event.kind !== 'trade') {
      return event.symbols.every((symbol) => this.#specs.has(symbol)) ? null : 'unknown_symbol';
    }
    const spec = this.#specs.get(event.symbol);
    if (!spec) return 'unknown_symbol';
    if (event.kind === 'trade') {
      if (!(event.price > 0 && event.price < Number.POSITIVE_INFINITY)) return 'bad_price';
      if (!(event.size >= 0 && event.size < Number.POSITIVE_INFINITY)) return 'bad_size';
      return fitsDigits(event.price, spec.digits) ? null : 'finer_than_digits';
    }
    if (!(event.bid > 0 && event.ask < Number.POSITIVE_INFINITY && event.ask > 0)) return 'bad_price';
    if (event.bid > event.ask) return 'crossed_quote';
    if (!(event.bidSize >= 0 && event.askSize >= 0 && event.bidSize + event.askSize < Number.POSITIVE_INFINITY))
      return 'bad_size';
    return fitsDigits(event.bid, spec.digits) && fitsDigits(event.ask, spec.digits) ? null : 'finer_than_digits';
  }

  #refuse(refusal: Refusal, event: FeedEvent): void {
    this.refused.set(refusal, (this.refused.get(refusal) ?? 0) + 1);
    const symbol = 'symbol' in event ? event.symbol : event.symbols.join(',');
    const name = `${refusal} ${symbol}`;
    const now = this.#now();
    if (now - (this.#named.get(name) ?? 0) < REPEAT_MS) return;
    if (this.#named.size >= 1_000) this.#named.clear();
    this.#named.set(name, now);
    this.#options.log.warn(`tick refused: ${REMEDIES[refusal]}`, { reason: refusal, symbol, event });
  }
}
