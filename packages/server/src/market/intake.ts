// Takes the events of all feeds: checks them against the instrument, applies them to the engine and appends the result to the
// journal. Refused events are counted by reason and logged with a remedy. Price jumps are held until they are confirmed.
import {
  asEpochMs,
  bySymbol,
  type Engine,
  type EngineEvent,
  type FeedEvent,
  fitsDigits,
  type HistoryEvent,
  type InstrumentSpec,
  type MarketSymbol,
  type MinuteEvent,
  type PerInstrument,
} from '@tickwire/engine';
import type { Journal } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import { Histogram } from '../ops/metrics.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import type { FeedSink } from './feeds/feed.ts';
import { type HeldEvent, PASS, type SpikeDecision, type SpikeFilter } from './spike-filter.ts';

/** A venue's clock may be ahead by seconds; more is a wrong time. */
export const MAX_AHEAD_MS = 10_000;

export type TickRefusal =
  | 'unknown_symbol'
  | 'bad_price'
  | 'crossed_quote'
  | 'finer_than_digits'
  | 'bad_size'
  | 'future_time'
  | 'bad_time'
  | 'spike';

const REFUSAL_DETAILS: Readonly<Record<TickRefusal, string>> = {
  unknown_symbol: 'the instrument is not in the catalogue: add it with "tickwire instruments add"',
  bad_price: 'the price is not a positive number',
  crossed_quote: 'the bid is above the ask',
  finer_than_digits:
    'the price has more decimals than the instrument: raise them with "tickwire instruments set SYMBOL --digits N"',
  bad_size: 'the size is negative or not a number',
  future_time: 'the time is in the future: check the clocks of this machine and of the source',
  spike: 'the price is too far from the last one (TICKWIRE_SPIKE_PERCENT), and no second quote confirmed it',
  bad_time: 'the time is not a whole number of milliseconds',
};

const HELD_DETAIL =
  'the price is too far from the last one (TICKWIRE_SPIKE_PERCENT): held, and published with its own time once a second quote confirms it';

/** Why a held event is not published, if it is not. */
export const heldDetail = ({ outcome }: HeldEvent): string =>
  outcome === 'dropped' ? REFUSAL_DETAILS.spike : HELD_DETAIL;

/** Receives what becomes of the events of a call, by their index. Accepted events are not reported. */
export interface IntakeReport {
  refused(index: number, refusal: TickRefusal, detail: string): void;
  /** The event is held. Its outcome may change during this call or a later one. */
  held(index: number, held: HeldEvent): void;
}

export interface IntakeOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly engine: Engine;
  readonly journal: Journal;
  readonly log: Log;
  /** Keeps price spikes out; left out for simulated markets, which have none. */
  readonly spikes?: SpikeFilter;
  readonly now?: () => number;
}

export class Intake {
  readonly refused = new Map<TickRefusal, number>();
  readonly latency = new Histogram();
  accepted = 0;
  readonly #options: IntakeOptions;
  readonly #specs: PerInstrument<InstrumentSpec>;
  /** A refusal is logged once a minute per reason and instrument; the metrics count every one. */
  readonly #logged = new RateLimiter({ limit: 1 });
  readonly #now: () => number;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#specs = bySymbol(options.instruments);
    this.#now = options.now ?? Date.now;
  }

  /** The intake, bound to the name of one source. */
  sinkFor(source: string): FeedSink {
    return {
      accept: (events) => this.accept(events, source),
      fill: (minutes) => this.fill(minutes, source),
    };
  }

  /** Takes events in order. Each is accepted, refused or held on its own. */
  accept(events: Iterable<FeedEvent>, source: string, report?: IntakeReport): void {
    const started = performance.now();
    const latest = this.#now() + MAX_AHEAD_MS;
    let out: EngineEvent[] = [];
    let index = -1;
    for (const event of events) {
      index++;
      const refusal = this.#check(event, latest);
      if (refusal) {
        this.#refuse(refusal, event);
        report?.refused(index, refusal, REFUSAL_DETAILS[refusal]);
        continue;
      }
      const decision = this.#decide(event, source);
      if (decision !== PASS) {
        for (const spike of decision.dropped) this.#refuse('spike', spike.event);
        out = this.#release(decision.released, out, source);
        if (decision.held) {
          this.#warn('held', 'tick held', HELD_DETAIL, event);
          report?.held(index, decision.held);
          continue;
        }
      }
      this.accepted++;
      this.#options.engine.apply(event, out);
    }
    this.#options.journal.append(out, source);
    this.latency.observe((performance.now() - started) / 1000);
  }

  /** Whether a price jump of the symbol waits for confirmation: its market price is unknown. */
  isQuarantined(symbol: MarketSymbol): boolean {
    return this.#options.spikes?.isQuarantined(symbol) ?? false;
  }

  /** Refuses what is held when the feeds have stopped: nothing can confirm it any more. */
  stop(): void {
    for (const { event } of this.#options.spikes?.dropHeld() ?? []) this.#refuse('spike', event);
  }

  /** Takes complete minutes for which a source has no ticks. They come from our own connectors and are not checked. */
  fill(minutes: Iterable<MinuteEvent>, source: string): void {
    const out: EngineEvent[] = [];
    for (const minute of minutes) this.#options.engine.apply(minute, out);
    this.#options.journal.append(out, source);
  }

  /** Takes closed bars of the past from a venue. */
  history(event: HistoryEvent): void {
    const out: EngineEvent[] = [];
    this.#options.engine.apply(event, out);
    this.#options.journal.append(out);
  }

  /** Advances the time: closes bars and starts new days. */
  clock(now: number): void {
    const out: EngineEvent[] = [];
    this.#options.engine.apply({ kind: 'clock', time: asEpochMs(now) }, out);
    this.#options.journal.append(out);
  }

  /** Runs after #check: the event is valid in itself. */
  #decide(event: FeedEvent, source: string): SpikeDecision {
    const { spikes } = this.#options;
    if (!spikes || (event.kind !== 'quote' && event.kind !== 'trade')) return PASS;
    return spikes.decide(this.#specs.get(event.symbol)!, event, source);
  }

  /** Applies confirmed events, each with its own source. Returns the batch for the events of `source` that follow. */
  #release(released: readonly HeldEvent[], batch: EngineEvent[], source: string): EngineEvent[] {
    const { engine, journal } = this.#options;
    let [out, from] = [batch, source];
    const startBatch = (next: string): void => {
      if (next === from) return;
      journal.append(out, from);
      [out, from] = [[], next];
    };
    for (const { event, source: origin } of released) {
      startBatch(origin);
      this.accepted++;
      engine.apply(event, out);
    }
    startBatch(source);
    return out;
  }

  #check(event: FeedEvent, latest: number): TickRefusal | null {
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

  #refuse(refusal: TickRefusal, event: FeedEvent): void {
    this.refused.set(refusal, (this.refused.get(refusal) ?? 0) + 1);
    this.#warn(refusal, 'tick refused', REFUSAL_DETAILS[refusal], event);
  }

  #warn(reason: TickRefusal | 'held', message: string, detail: string, event: FeedEvent): void {
    const symbol = 'symbol' in event ? event.symbol : event.symbols.join(',');
    const name = `${reason} ${symbol}`;
    if (this.#logged.take(name, this.#now()) > 0) return;
    this.#options.log.warn(`${message}: ${detail}`, { reason, symbol, event });
  }
}
