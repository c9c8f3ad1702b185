// Ticks from history into live, as one sequence: recorded quotes page by page, then the stream from the position of the first page.
// If the stream loses messages, they are fetched from the tape.
import type { HistoryQuote, MarketTick, StreamPosition, TicksPage } from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';
import type { TicksOptions } from '../rest/options.ts';
import type { CallOptions, Positioned } from '../rest/request.ts';
import type { Gap } from './gap.ts';
import type { LiveOptions, LiveStream } from './live-stream.ts';
import { withPosition } from './stated-position.ts';

/**
 * Which ticks to follow.
 * @example client.followTicks('EURUSD', { from: Date.now() - 60_000 });
 */
export interface FollowTicksOptions
  extends Pick<LiveOptions<'market'>, 'buffer' | 'heartbeatSeconds' | 'signal' | 'onState'> {
  /** Start of the history. Default: the newest `limit` quotes. */
  readonly from?: Instant;
  /** Number of quotes of the history without `from`, 1 to 10,000. Default 500. */
  readonly limit?: number;
}

/** A recorded quote. */
export interface HistoryTick {
  /** Always `history`; tells history, live ticks and gaps apart. */
  readonly type: 'history';
  /** Instrument code. */
  readonly symbol: string;
  /** Unix time in milliseconds. */
  readonly time_ms: number;
  /** Highest price at which the market buys. */
  readonly bid: number;
  /** Lowest price at which the market sells. */
  readonly ask: number;
}

/** A tick of the stream. */
export interface LiveTick extends Omit<HistoryTick, 'type'> {
  /** Always `live`; tells history, live ticks and gaps apart. */
  readonly type: 'live';
  /** Volume traded since the tick before. */
  readonly volume: number;
}

/**
 * What {@link TickwireClient.followTicks} yields. Ticks that the stream has lost are fetched and follow as history; a gap means
 * that the service no longer has them, or that its feed was interrupted.
 */
export type FollowedTick = HistoryTick | LiveTick | Gap;

export interface TickSource {
  page(options: TicksOptions, call: CallOptions): Promise<Positioned<TicksPage>>;
  open(options: LiveOptions<'market'>): LiveStream<'market'>;
}

const PAGE = 10_000;
/** A page is ordered by the time of its ticks, which may be late by some minutes. */
const LATE_MS = 600_000;
/** Ticks that are remembered, so that one of them is known before a gap. */
const KEPT_TICKS = 20_000;

export async function* followTicks(
  source: TickSource,
  symbol: string,
  options: FollowTicksOptions = {},
): AsyncGenerator<FollowedTick, void, undefined> {
  const { from, limit = 500, signal, ...live } = options;
  const call = signal ? { signal } : {};
  const fetch = (query: TicksOptions) =>
    withPosition(symbol, signal, () => source.page({ kind: 'quotes', fields: ['seq'], ...query }, call));
  const known = new KnownTicks();
  let code = symbol;
  const historyTick = ({ time, bid, ask }: HistoryQuote): HistoryTick => ({
    type: 'history',
    symbol: code,
    time_ms: Date.parse(time),
    bid,
    ask,
  });

  /** Pages from the first one on. All ticks up to its position are on them; the stream repeats later ones. */
  async function* pages(query: TicksOptions): AsyncGenerator<HistoryQuote[], void, undefined> {
    let { body, position } = await fetch(query);
    known.position = position;
    for (;;) {
      ({ symbol: code } = body);
      yield body.items as HistoryQuote[];
      if (query.from === undefined || body.next === null) return;
      ({ body } = await fetch({ ...query, cursor: body.next }));
    }
  }
  function* missing(quotes: readonly HistoryQuote[], after: number): Generator<HistoryTick, void, undefined> {
    for (const quote of quotes) if (quote.seq! > after && known.add(quote)) yield historyTick(quote);
  }
  /** What the stream has lost, after the last tick before it. The gap itself only if the tape no longer has that tick. */
  async function* recover(gap: Gap): AsyncGenerator<FollowedTick, void, undefined> {
    const last = gap.reason === 'feed' ? null : known.before(gap.fromSeq);
    if (!last) {
      yield gap;
      return;
    }
    let held: HistoryQuote[] | null = [];
    for await (const quotes of pages({ from: last.time - LATE_MS, limit: PAGE })) {
      held?.push(...quotes);
      const isFound = held?.some(({ seq }) => seq === last.seq) ?? true;
      if (held && !isFound && quotes.length > 0 && Date.parse(quotes.at(-1)!.time) <= last.time) continue;
      if (!isFound) yield gap;
      yield* missing(held ?? quotes, last.seq);
      held = null;
    }
    if (!held) return;
    yield gap;
    yield* missing(held, last.seq);
  }

  for await (const quotes of pages(from === undefined ? { limit } : { from, limit: PAGE }))
    for (const quote of quotes) {
      known.add(quote);
      yield historyTick(quote);
    }
  const base = { ...live, ...(signal && { signal }), symbols: [symbol], seq: true, ms: true };
  const stream = source.open({ ...base, resumeFrom: known.position });
  try {
    for await (const event of stream.events()) {
      if (event.type === 'gap') yield* recover(event);
      else if (event.type === 'message' && known.isNew(event.message)) yield liveTick(event.message);
    }
  } finally {
    stream.close();
  }
}

/** The newest ticks that were yielded. `seq` grows over restarts of the service, too. */
class KnownTicks {
  /** Everything up to here was on a page. */
  position: StreamPosition = { epoch: '', seq: 0 };
  /** Times of ticks in milliseconds, by `seq`. */
  readonly #times = new Map<number, number>();

  /** Returns false if it is known. */
  add({ seq, time }: HistoryQuote): boolean {
    return this.#add(seq!, Date.parse(time));
  }

  #add(seq: number, time: number): boolean {
    if (this.#times.has(seq)) return false;
    this.#times.set(seq, time);
    if (this.#times.size > KEPT_TICKS) this.#times.delete(this.#times.keys().next().value!);
    return true;
  }

  /** Whether a tick of the stream was not on a page. */
  isNew({ seq, epoch, time, time_ms = time * 1_000 }: MarketTick): boolean {
    if (seq === undefined) return true;
    if (epoch === this.position.epoch && seq <= this.position.seq) return false;
    return this.#add(seq, time_ms);
  }

  /** The last tick before one; `null`: the last of all. */
  before(next: number | null): { readonly seq: number; readonly time: number } | null {
    let last = -1;
    for (const seq of this.#times.keys()) if (seq > last && (next === null || seq < next)) last = seq;
    return last < 0 ? null : { seq: last, time: this.#times.get(last)! };
  }
}

const liveTick = ({ symbol, bid, ask, time, time_ms, volume }: MarketTick): LiveTick => ({
  type: 'live',
  symbol,
  time_ms: time_ms ?? time * 1_000,
  bid,
  ask,
  volume,
});
