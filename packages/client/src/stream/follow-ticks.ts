// Ticks from history into live, as one sequence: recorded quotes page by page, then the stream from the position of the first page.
import type { HistoryQuote, MarketTick, StreamPosition, TicksPage } from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';
import type { TicksOptions } from '../rest/history-options.ts';
import type { CallOptions, Positioned } from '../rest/request.ts';
import type { Gap } from './gap.ts';
import type { LiveOptions, LiveStream } from './live-stream.ts';
import { withPosition } from './stated-position.ts';

/**
 * Which ticks to follow.
 * @example client.followTicks('EURUSD', { from: Date.now() - 60_000 });
 */
export interface FollowTicksOptions extends Pick<LiveOptions<'market'>, 'buffer' | 'heartbeatSeconds' | 'signal'> {
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

/** What {@link TickwireClient.followTicks} yields. */
export type FollowedTick = HistoryTick | LiveTick | Gap;

export interface TickSource {
  page(options: TicksOptions, call: CallOptions): Promise<Positioned<TicksPage>>;
  open(options: LiveOptions<'market'>): LiveStream<'market'>;
}

const PAGE = 10_000;

export async function* followTicks(
  source: TickSource,
  symbol: string,
  options: FollowTicksOptions = {},
): AsyncGenerator<FollowedTick, void, undefined> {
  const { from, limit = 500, signal, ...live } = options;
  const call = signal ? { signal } : {};
  const fetch = (query: TicksOptions) =>
    withPosition(symbol, signal, () => source.page({ kind: 'quotes', fields: ['seq'], ...query }, call));
  const first = await fetch(from === undefined ? { limit } : { from, limit: PAGE });
  // All ticks up to the first position are on the pages. Later ones are on later pages or in the stream, which repeats those.
  const { position } = first;
  const repeated = new Set<number>();
  for (let { body } = first; ; ) {
    for (const { time, bid, ask, seq } of body.items as HistoryQuote[]) {
      if (seq !== undefined && seq > position.seq) repeated.add(seq);
      yield { type: 'history', symbol: body.symbol, time_ms: Date.parse(time), bid, ask };
    }
    if (from === undefined || body.next === null) break;
    ({ body } = await fetch({ from, limit: PAGE, cursor: body.next }));
  }
  const base = { ...live, ...(signal && { signal }), symbols: [symbol], seq: true, ms: true };
  const stream = source.open({ ...base, resumeFrom: position });
  try {
    for await (const event of stream.events()) {
      if (event.type === 'gap') yield event;
      else if (event.type === 'message' && !isKnown(event.message, position, repeated)) yield liveTick(event.message);
    }
  } finally {
    stream.close();
  }
}

/** Whether the pages had this tick. */
function isKnown({ seq, epoch }: MarketTick, position: StreamPosition, repeated: Set<number>): boolean {
  if (epoch !== position.epoch || seq === undefined) return false;
  return seq <= position.seq || repeated.delete(seq);
}

const liveTick = ({ symbol, bid, ask, time, time_ms, volume }: MarketTick): LiveTick => ({
  type: 'live',
  symbol,
  time_ms: time_ms ?? time * 1_000,
  bid,
  ask,
  volume,
});
