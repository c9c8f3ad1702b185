// What followers of closed signals would have had with a delay, from the tape.
import {
  type ClosedRecord,
  type ExitedRecord,
  type FilledRecord,
  type PublishedRecord,
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
} from '@tickwire/engine';
import { IMPORTED } from '../market/restore.ts';
import { isCrossedQuotes } from '../store/crossed-quotes.ts';
import type { MarketStore } from '../store/market-store.ts';
import { decodeBlock } from '../store/tape-block.ts';
import { isMinute } from '../store/tape-minute.ts';

export const FOLLOWER_DELAYS = [1, 5, 30] as const;
/** How far a quote may be from the time it is wanted for: over a weekend, a follower waits for the market to open. */
const SEARCH_MINUTES = 60;
/** Results do not change: those of as many signals are kept. */
const MAX_KEPT = 20_000;

/** The records of a closed signal that was filled. */
export interface FollowedRecords {
  readonly published: PublishedRecord;
  readonly filled: FilledRecord;
  readonly exits: readonly ExitedRecord[];
  readonly closed: ClosedRecord;
}

/** R by delay in seconds; `null` if the tape has no quotes for it. */
export type FollowerR = Readonly<Record<(typeof FOLLOWER_DELAYS)[number], number | null>>;

export class FollowerResults {
  readonly #tape: Pick<MarketStore, 'tapeOf'>;
  readonly #kept = new Map<string, FollowerR>();

  constructor(tape: Pick<MarketStore, 'tapeOf'>) {
    this.#tape = tape;
  }

  async of(records: FollowedRecords): Promise<FollowerR> {
    const { signal: id, symbol, instrument } = records.published;
    const kept = this.#kept.get(id);
    if (kept) return kept;
    const signal = followedSignal(records);
    const results: Record<number, number | null> = {};
    for (const seconds of FOLLOWER_DELAYS) {
      const quotes = new Map<number, FollowerQuote>();
      for (const time of [signal.filledAt, ...signal.exits.map(({ at }) => at)]) {
        const due = time + seconds * 1_000;
        const quote = await this.#quoteFrom(asSymbol(symbol), due, instrument.digits);
        if (quote) quotes.set(due, quote);
      }
      results[seconds] = followerResult(signal, seconds * 1_000, (time) => quotes.get(time) ?? null)?.pnlR ?? null;
    }
    const complete = results as FollowerR;
    // The newest quotes may not be on the tape yet.
    if (Object.values(complete).every((r) => r !== null)) this.#keep(id, complete);
    return complete;
  }

  /** The first quote at or after `time`. */
  async #quoteFrom(symbol: MarketSymbol, time: number, digits: number): Promise<FollowerQuote | null> {
    const first = time - (time % MINUTE_MS);
    for (let minute = first; minute < first + SEARCH_MINUTES * MINUTE_MS; minute += MINUTE_MS) {
      const blocks = await this.#tape.tapeOf(symbol, minute, minute + MINUTE_MS);
      const quotes = blocks
        .filter((block) => !isCrossedQuotes(block) && !isMinute(block))
        .flatMap((block) => decodeBlock(block.bytes, block.symbol, block.minute))
        .filter(({ event, source }) => event.kind === 'quote' && event.time >= time && source !== IMPORTED)
        .sort((a, b) => a.event.time - b.event.time || a.seq - b.seq);
      const event = quotes[0]?.event;
      if (event?.kind === 'quote') return { bid: toTicks(event.bid, digits), ask: toTicks(event.ask, digits) };
    }
    return null;
  }

  #keep(id: string, results: FollowerR): void {
    this.#kept.set(id, results);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
  }
}

function followedSignal({ published, filled, exits, closed }: FollowedRecords): FollowedSignal {
  const { digits } = published.instrument;
  const last = { fraction: closed.last_exit!.fraction, at: closed.closed_at };
  const parts = [...exits.map(({ fraction, exited_at }) => ({ fraction, at: exited_at })), last];
  return {
    direction: published.direction,
    entry: toTicks(published.entry, digits),
    stopLoss: toTicks(published.stop_loss, digits),
    filledAt: asEpochMs(Date.parse(filled.filled_at)),
    exits: parts.map(({ fraction, at }) => ({
      fraction: Math.round(fraction * WHOLE),
      at: asEpochMs(Date.parse(at)),
    })),
  };
}
