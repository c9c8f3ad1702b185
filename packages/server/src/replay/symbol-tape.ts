// The recorded past of one instrument in the order in which a replay plays it: by arrival, which is the latest event time of the
// ticks up to a tick in the order of the journal. So a late tick comes as late as it came then. Minutes without ticks are played
// from their bars.
//
// Arrival is known once the ticks of the next ten minutes are loaded: no late tick that changes a bar can be later.
import { type Bar, HOUR_MS, type InstrumentSpec, LATE_WINDOW_MS, MINUTE_MS } from '@tickwire/engine';
import type { BarSource } from '../market/bar-source.ts';
import { pauses } from '../ops/pauses.ts';
import type { MarketStore, TapeBlock, TapeRecord } from '../store/store.ts';
import { IMPORTED, ticksOf } from '../store/tape-records.ts';
import type { PlayedEvent } from './played-event.ts';
import { eventsOfMinute } from './synthetic-ticks.ts';

/** What is loaded at a time depends on how many ticks the last part had. */
const SHORTEST_MS = MINUTE_MS;
const LONGEST_MS = 4 * HOUR_MS;
const FEW_TICKS = 2_000;
const MANY_TICKS = 20_000;
const MAX_BARS = LONGEST_MS / MINUTE_MS + 1;

export interface PastStore {
  readonly tape: Pick<MarketStore, 'tapeOf' | 'firstTapeOf' | 'tapeDays'>;
  /** Bars of the store, not only those up to the clock. */
  readonly bars: BarSource;
}

export class SymbolTape {
  readonly #store: PastStore;
  readonly #spec: InstrumentSpec;
  /** Ticks whose arrival is not known yet. */
  #held: readonly TapeRecord[] = [];
  /** By arrival. */
  #ready: PlayedEvent[] = [];
  #at = 0;
  /** Start of the first minute that is not loaded. */
  #loadedTo: number;
  /** Latest event time of the ticks whose arrival is known. */
  #newest = 0;
  #length = 10 * MINUTE_MS;

  /** `from`: start of a minute. */
  constructor(store: PastStore, spec: InstrumentSpec, from: number) {
    this.#store = store;
    this.#spec = spec;
    this.#loadedTo = from;
  }

  /** Makes ready all events that arrive by `to`. */
  async load(to: number): Promise<void> {
    while (this.#knownTo < to) await this.#load();
  }

  /** The next events that arrive by `to`, up to which all are ready. */
  take(to: number): readonly PlayedEvent[] {
    let end = this.#at;
    while (end < this.#ready.length && this.#ready[end]!.arrival <= to) end++;
    const events = this.#ready.slice(this.#at, end);
    this.#at = end;
    return events;
  }

  /** When the next event arrives; `null` if none does by `to`. */
  async peek(to: number): Promise<number | null> {
    const first = (): number => this.#ready[this.#at]?.arrival ?? Number.POSITIVE_INFINITY;
    while (first() > this.#knownTo && this.#knownTo < to) await this.#load();
    return first() > to ? null : first();
  }

  /** All events that arrive by this time are ready. */
  get #knownTo(): number {
    return knownBy(this.#loadedTo);
  }

  async #load(): Promise<void> {
    const { tape, bars } = this.#store;
    const { symbol } = this.#spec;
    const [from, to] = [this.#loadedTo, this.#loadedTo + this.#length];
    const blocks = await tape.tapeOf(symbol, from, to);
    const range = { symbol, timeframe: '1m', from, to: to - 1, limit: MAX_BARS, first: 'oldest' } as const;
    const minutes = await bars.bars(range);
    const fetched = (await bars.fetched(symbol, from, to)).filter(({ timeframe }) => timeframe === '1m');
    const isFetched = (minute: number): boolean => fetched.some((each) => each.from <= minute && minute < each.to);
    const byMinute = Map.groupBy(blocks, ({ minute }) => minute as number);
    const ticks: TapeRecord[] = [];
    const pause = pauses();
    for (const [minute, own] of byMinute) {
      await pause();
      if (own.some(isDamaged) || isFetched(minute)) byMinute.delete(minute);
      else {
        const records = own.flatMap(ticksOf);
        if (records.length === 0) byMinute.delete(minute);
        for (const record of records) ticks.push(record);
      }
    }
    const length =
      ticks.length < FEW_TICKS
        ? Math.min(LONGEST_MS, this.#length * 2)
        : ticks.length > MANY_TICKS
          ? Math.max(SHORTEST_MS, Math.floor(this.#length / 2 / MINUTE_MS) * MINUTE_MS)
          : this.#length;
    const bare = minutes.filter(({ time }) => !byMinute.has(time));
    await this.#arrange(ticks, bare, to);
    this.#length = length;
  }

  /** Finds out when the ticks arrived, as far as that is known when everything up to `loadedTo` is loaded. */
  async #arrange(ticks: readonly TapeRecord[], minutes: readonly Bar[], loadedTo: number): Promise<void> {
    const pause = pauses();
    const knownTo = knownBy(loadedTo);
    const held: TapeRecord[] = [];
    const known: PlayedEvent[] = this.#ready.slice(this.#at);
    let newest = this.#newest;
    let newestKnown = newest;
    for (const record of [...this.#held, ...ticks].sort((a, b) => a.seq - b.seq)) {
      const turn = pause();
      if (turn) await turn;
      const { event, source } = record;
      const { time } = event;
      // Imported ticks never arrived.
      if (source !== IMPORTED) newest = Math.max(newest, time);
      const arrival = source === IMPORTED ? time : newest;
      if (arrival > knownTo) {
        held.push(record);
        continue;
      }
      known.push({ arrival, event, source });
      if (source !== IMPORTED) newestKnown = newest;
    }
    for (const bar of minutes) known.push(...eventsOfMinute(this.#spec, bar));
    this.#held = held;
    this.#newest = newestKnown;
    this.#loadedTo = loadedTo;
    this.#ready = known.sort((a, b) => a.arrival - b.arrival);
    this.#at = 0;
  }
}

const knownBy = (loadedTo: number): number => loadedTo - LATE_WINDOW_MS - 1;

const isDamaged = ({ damaged }: TapeBlock): boolean => damaged !== undefined;
