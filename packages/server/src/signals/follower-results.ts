// What followers of closed signals would have had with a delay, from the tape.
import {
  type ClosedRecord,
  FOLLOWER_DELAYS,
  type FollowerResults,
  type LogRecord,
  roundedRatio,
  WHOLE,
} from '@tickwire/contract';
import {
  asSymbol,
  type FollowedSignal,
  type FollowerQuote,
  followerResult,
  type MarketSymbol,
  MINUTE_MS,
  toTicks,
  UNITS_PER_R,
} from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';
import type { MarketStore } from '../store/market-store.ts';
import type { SignalStore, StoredRecord } from '../store/signal-store.ts';
import { IMPORTED, ticksOf } from '../store/tape-records.ts';
import { epoch, parseRecord } from './log-records.ts';
import { LATE_MS } from './seal-tape.ts';
import { historyOf } from './signal-history.ts';

/** A result is unknown if no quote follows within this time. */
const SEARCH_MS = 60 * MINUTE_MS;
/** Results never change, so those of the latest signals are kept in memory. */
const MAX_KEPT = 20_000;
/** Signals whose records are read in one query. */
const SIGNALS_AT_ONCE = 20;
/** Finding the quotes of a signal takes as long as reading this many rows of history. */
export const ROWS_PER_SIGNAL = 250;
const LONGEST_DELAY_MS = Math.max(...FOLLOWER_DELAYS) * 1_000;

type Item = FollowerResults['items'][number];

export interface FollowersOptions {
  readonly store: SignalStore;
  readonly tape: Pick<MarketStore, 'firstTapeOf'>;
  /** Time of the newest quote of an instrument; `null` if there is none. */
  readonly quotedAt: (symbol: MarketSymbol) => number | null;
}

export class Followers {
  readonly #options: FollowersOptions;
  /** By id of the signal; `null` if it was not filled. */
  readonly #kept = new Map<string, Item | null>();

  constructor(options: FollowersOptions) {
    this.#options = options;
  }

  /** The newest `limit` closed signals of a publisher that were filled and not voided. */
  async of(publisher: string, limit: number): Promise<FollowerResults> {
    const { store } = this.#options;
    const signals = (await store.list({ status: 'closed', publisher, limit })).filter(({ voided }) => !voided);
    const items: Item[] = [];
    const pause = pauses();
    for (let from = 0; from < signals.length; from += SIGNALS_AT_ONCE) {
      const ids = signals.slice(from, from + SIGNALS_AT_ONCE).map(({ id }) => id);
      await pause();
      const records = await store.records(ids.filter((id) => !this.#kept.has(id)));
      for (const id of ids) {
        const item = this.#kept.has(id) ? this.#kept.get(id)! : await this.#follow(id, records.get(id)!, pause);
        if (item) items.push(item);
      }
    }
    const known = items.filter(({ follower_r }) => follower_r.every((r) => r !== null));
    const delays = [0, ...FOLLOWER_DELAYS].map((seconds, index) =>
      summary(
        seconds,
        known.map(({ pnl_r, follower_r }) => (index === 0 ? pnl_r : follower_r[index - 1]!)),
      ),
    );
    return { delays, items, count: items.length, unknown: items.length - known.length };
  }

  async #follow(id: string, records: readonly StoredRecord[], pause: ReturnType<typeof pauses>): Promise<Item | null> {
    await pause();
    const signal = followedSignal(records);
    if (!signal) {
      this.#keep(id, null);
      return null;
    }
    const { closed, digits } = signal;
    const symbol = asSymbol(closed.symbol);
    const quotes = new Map<number, FollowerQuote | null>();
    for (const time of [signal.filledAt, ...signal.exits.map(({ at }) => at)])
      for (const seconds of FOLLOWER_DELAYS) {
        const due = time + seconds * 1_000;
        if (!quotes.has(due)) quotes.set(due, await this.#quoteFrom(symbol, due, digits));
        await pause();
      }
    const follower_r = FOLLOWER_DELAYS.map(
      (seconds) => followerResult(signal, seconds * 1_000, (time) => quotes.get(time) ?? null)?.pnlR ?? null,
    );
    const { symbol: name, closed_at, pnl_r } = closed;
    const item = { id, symbol: name, closed_at, pnl_r, follower_r };
    // The newest quotes may not be on the tape yet.
    const searchedUntil = epoch(closed_at) + LONGEST_DELAY_MS + SEARCH_MS + LATE_MS;
    const isFinal = follower_r.every((r) => r !== null) || (this.#options.quotedAt(symbol) ?? 0) >= searchedUntil;
    if (isFinal) this.#keep(id, item);
    return item;
  }

  /** The first quote at or after `time`. */
  async #quoteFrom(symbol: MarketSymbol, time: number, digits: number): Promise<FollowerQuote | null> {
    const { tape } = this.#options;
    const first = time - (time % MINUTE_MS);
    for (let from = first; from < first + SEARCH_MS; ) {
      const blocks = await tape.firstTapeOf(symbol, from, first + SEARCH_MS);
      if (blocks.length === 0) return null;
      const [quote] = blocks
        .flatMap(ticksOf)
        .filter(({ event, source }) => event.kind === 'quote' && event.time >= time && source !== IMPORTED)
        .sort((a, b) => a.event.time - b.event.time || a.seq - b.seq);
      if (quote?.event.kind === 'quote')
        return { bid: toTicks(quote.event.bid, digits), ask: toTicks(quote.event.ask, digits) };
      from = blocks[0]!.minute + MINUTE_MS;
    }
    return null;
  }

  #keep(id: string, item: Item | null): void {
    this.#kept.set(id, item);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
  }
}

/** `null` if it was not filled, or was voided. */
function followedSignal(
  records: readonly StoredRecord[],
): (FollowedSignal & { readonly closed: ClosedRecord; readonly digits: number }) | null {
  const { published, filled, exits, voided } = historyOf(records);
  const closed = records.map((record) => parseRecord<LogRecord>(record)).find((each) => each.type === 'closed');
  if (!filled || voided || !closed?.last_exit) return null;
  const { digits } = published.instrument;
  const last = { fraction: closed.last_exit.fraction, exited_at: closed.closed_at };
  return {
    closed,
    digits,
    direction: published.direction,
    entry: toTicks(published.entry, digits),
    stopLoss: toTicks(published.stop_loss, digits),
    filledAt: epoch(filled.filled_at),
    exits: [...exits, last].map(({ fraction, exited_at }) => ({
      fraction: Math.round(fraction * WHOLE),
      at: epoch(exited_at),
    })),
  };
}

function summary(seconds: number, results: readonly number[]): FollowerResults['delays'][number] {
  const units = results.reduce((sum, r) => sum + Math.round(r * UNITS_PER_R), 0);
  const mean = (numerator: number, per: number): number | null =>
    results.length === 0 ? null : roundedRatio(BigInt(numerator), BigInt(results.length * per));
  return {
    seconds,
    signals: results.length,
    average_r: mean(units, UNITS_PER_R),
    total_r: units / UNITS_PER_R,
    win_rate: mean(results.filter((r) => r > 0).length, 1),
  };
}
