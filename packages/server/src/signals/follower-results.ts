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
  asEpochMs,
  asSymbol,
  type FollowedSignal,
  type FollowerQuote,
  followerResult,
  type MarketSymbol,
  MINUTE_MS,
  toTicks,
  UNITS_PER_R,
} from '@tickwire/engine';
import { IMPORTED } from '../market/restore.ts';
import { isCrossedQuotes } from '../store/crossed-quotes.ts';
import type { MarketStore } from '../store/market-store.ts';
import type { SignalStore, StoredRecord } from '../store/signal-store.ts';
import { decodeBlock } from '../store/tape-block.ts';
import { isMinute } from '../store/tape-minute.ts';
import { epoch, parseRecord } from './log-records.ts';
import { historyOf } from './signal-history.ts';

/** A result is unknown if no quote follows within this time. */
const SEARCH_MINUTES = 60;
/** Results never change, so those of the latest signals are kept in memory. */
const MAX_KEPT = 20_000;

type Item = FollowerResults['items'][number];

export class Followers {
  readonly #store: SignalStore;
  readonly #tape: Pick<MarketStore, 'tapeOf'>;
  readonly #kept = new Map<string, Item>();

  constructor(store: SignalStore, tape: Pick<MarketStore, 'tapeOf'>) {
    this.#store = store;
    this.#tape = tape;
  }

  /** The newest `limit` closed signals of a publisher that were filled and not voided, under rules version 2. */
  async of(publisher: string, limit: number): Promise<FollowerResults> {
    const signals = await this.#store.list({ status: 'closed', publisher, limit });
    const records = await this.#store.records(signals.map(({ id }) => id));
    const items: Item[] = [];
    for (const { id } of signals) {
      const item = this.#kept.get(id) ?? (await this.#follow(records.get(id)!));
      if (item) items.push(item);
    }
    const known = items.filter(({ follower_r }) => follower_r.every((r) => r !== null));
    const delays = [0, ...FOLLOWER_DELAYS].map((seconds, index) =>
      summary(
        seconds,
        known.map(({ pnl_r, follower_r }) => (index === 0 ? pnl_r : follower_r[index - 1]!)),
      ),
    );
    return { delays, items, count: items.length };
  }

  async #follow(records: readonly StoredRecord[]): Promise<Item | null> {
    const signal = followedSignal(records);
    if (!signal) return null;
    const { closed, digits } = signal;
    const follower_r: (number | null)[] = [];
    for (const seconds of FOLLOWER_DELAYS) {
      const quotes = new Map<number, FollowerQuote | null>();
      for (const time of [signal.filledAt, ...signal.exits.map(({ at }) => at)]) {
        const due = time + seconds * 1_000;
        quotes.set(due, await this.#quoteFrom(asSymbol(closed.symbol), due, digits));
      }
      follower_r.push(followerResult(signal, seconds * 1_000, (time) => quotes.get(time) ?? null)?.pnlR ?? null);
    }
    const item = {
      id: closed.signal,
      symbol: closed.symbol,
      closed_at: closed.closed_at,
      pnl_r: closed.pnl_r,
      follower_r,
    };
    // The newest quotes may not be on the tape yet.
    if (follower_r.every((r) => r !== null)) this.#keep(item);
    return item;
  }

  /** The first quote at or after `time`. */
  async #quoteFrom(symbol: MarketSymbol, time: number, digits: number): Promise<FollowerQuote | null> {
    const first = time - (time % MINUTE_MS);
    for (let minute = first; minute < first + SEARCH_MINUTES * MINUTE_MS; minute += MINUTE_MS) {
      const blocks = await this.#tape.tapeOf(symbol, minute, minute + MINUTE_MS);
      const [quote] = blocks
        .filter((block) => !isCrossedQuotes(block) && !isMinute(block))
        .flatMap((block) => decodeBlock(block.bytes, block.symbol, block.minute))
        .filter(({ event, source }) => event.kind === 'quote' && event.time >= time && source !== IMPORTED)
        .sort((a, b) => a.event.time - b.event.time || a.seq - b.seq);
      if (quote?.event.kind === 'quote')
        return { bid: toTicks(quote.event.bid, digits), ask: toTicks(quote.event.ask, digits) };
    }
    return null;
  }

  #keep(item: Item): void {
    this.#kept.set(item.id, item);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
  }
}

/** `null` if it was not filled, was voided, or is of rules version 1. */
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
      at: asEpochMs(epoch(exited_at)),
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
