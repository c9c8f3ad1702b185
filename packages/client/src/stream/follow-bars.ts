// Bars from history into live, as one sequence: REST pages first, then the stream from the position of the last page. If the
// stream loses messages, the bars since then are fetched again.
import type { BarMessage, BarsPage, OhlcvBar, StreamPosition, Timeframe } from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';
import type { BarsOptions } from '../rest/history-options.ts';
import type { CallOptions, Positioned } from '../rest/request.ts';
import type { Gap } from './gap.ts';
import type { LiveOptions, LiveStream } from './live-stream.ts';
import { withPosition } from './stated-position.ts';

/**
 * Which bars to follow.
 * @example client.followBars('EURUSD', { timeframe: '5m', from: Date.now() - 86_400_000 });
 */
export interface FollowBarsOptions extends Pick<LiveOptions<'bars'>, 'buffer' | 'heartbeatSeconds' | 'signal'> {
  /** Length of a bar. Default `1h`. */
  readonly timeframe?: Timeframe;
  /** Start of the history. Default: the newest `limit` bars. */
  readonly from?: Instant;
  /** Number of bars of the history without `from`, 1 to 10,000. Default 500. */
  readonly limit?: number;
}

/** Prices and volume of a followed bar. */
interface FollowedPrices {
  /** Instrument code. */
  readonly symbol: string;
  /** Start of the bar, Unix time in seconds. */
  readonly time: number;
  /** First price. */
  readonly open: number;
  /** Highest price. */
  readonly high: number;
  /** Lowest price. */
  readonly low: number;
  /** Last price. */
  readonly close: number;
  /** Traded volume. */
  readonly volume: number;
}

/** A bar of the history. The newest one may still be forming; a live bar of the same time then replaces it. */
export interface HistoryBar extends FollowedPrices {
  /** Always `history`; tells history, live bars and gaps apart. */
  readonly type: 'history';
}

/** A bar that changed or closed. It replaces an earlier one of the same time. */
export interface LiveBar extends FollowedPrices {
  /** Always `live`; tells history, live bars and gaps apart. */
  readonly type: 'live';
  /** False while the bar is forming. A closed bar may be sent again, corrected. */
  readonly closed: boolean;
}

/** What {@link TickwireClient.followBars} yields. After a gap, the bars that changed follow as history. */
export type FollowedBar = HistoryBar | LiveBar | Gap;

export interface BarSource {
  page(options: BarsOptions, call: CallOptions): Promise<Positioned<BarsPage>>;
  open(options: LiveOptions<'bars'>): LiveStream<'bars'>;
}

const PAGE = 10_000;
/** Bars of the last ten minutes can still be amended by late ticks, in seconds; one more for the end of the minute. */
const AMENDABLE_SECONDS = 660;

export async function* followBars(
  source: BarSource,
  symbol: string,
  options: FollowBarsOptions = {},
): AsyncGenerator<FollowedBar, void, undefined> {
  const { timeframe = '1h', from, limit = 500, signal, ...live } = options;
  const call = signal ? { signal } : {};
  const fetch = (query: BarsOptions) =>
    withPosition(symbol, signal, () => source.page({ interval: timeframe, ...query }, call));
  const history = new SentBars(symbol);
  /** From here on, bars can still change. */
  const amendable = (): number => history.newest - AMENDABLE_SECONDS - secondsOf(timeframe);

  let { body, position } = await fetch(from === undefined ? { limit } : { from, limit: PAGE });
  yield* history.changed(body.items);
  for (; from !== undefined && body.next !== null; ) {
    ({ body, position } = await fetch({ from, limit: PAGE, cursor: body.next }));
    yield* history.changed(body.items);
    // Bars of earlier pages may have been amended since; one answer has all that can still change.
    if (body.next === null) {
      ({ body, position } = await fetch({ from: amendable(), limit: PAGE }));
      yield* history.changed(body.items);
    }
  }

  const base = { ...live, ...(signal && { signal }), symbols: [symbol], timeframe, seq: true };
  const stream = source.open({ ...base, resumeFrom: position });
  try {
    for await (const event of stream.events()) {
      if (event.type === 'message') {
        if (isKnown(event.message, position)) continue;
        history.note(event.message);
        yield liveBar(event.message);
      } else if (event.type === 'gap') {
        yield event;
        // What the stream has sent meanwhile is older than this answer, and skipped.
        ({ body, position } = await fetch({ from: amendable(), limit: PAGE }));
        yield* history.changed(body.items);
        while (body.next !== null) {
          ({ body, position } = await fetch({ from: amendable(), limit: PAGE, cursor: body.next }));
          yield* history.changed(body.items);
        }
      }
    }
  } finally {
    stream.close();
  }
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };
const secondsOf = (timeframe: Timeframe): number => Number.parseInt(timeframe, 10) * UNIT_SECONDS[timeframe.at(-1)!]!;

/** Messages up to the position are included in the answer. */
const isKnown = ({ seq, epoch }: BarMessage, position: StreamPosition): boolean =>
  epoch === position.epoch && seq !== undefined && seq <= position.seq;

/** Remembers the newest bars that were yielded, so that only changes are yielded again. */
class SentBars {
  /** Start of the newest bar, Unix seconds. */
  newest = 0;
  readonly #symbol: string;
  /** Recent bars as text, by their start. */
  readonly #sent = new Map<number, string>();

  constructor(symbol: string) {
    this.#symbol = symbol.toUpperCase();
  }

  *changed(bars: readonly OhlcvBar[]): Generator<HistoryBar, void, undefined> {
    for (const { time: start, open, high, low, close, volume } of bars) {
      const bar = { symbol: this.#symbol, time: Date.parse(start) / 1_000, open, high, low, close, volume };
      if (this.note(bar)) yield { type: 'history', ...bar };
    }
  }

  /** Returns whether the bar is new or has changed. */
  note({ time, open, high, low, close, volume }: FollowedPrices): boolean {
    const text = [open, high, low, close, volume].join(' ');
    if (this.#sent.get(time) === text) return false;
    this.#sent.set(time, text);
    if (time > this.newest) {
      this.newest = time;
      for (const old of this.#sent.keys()) {
        if (this.#sent.size <= KEPT_BARS) break;
        this.#sent.delete(old);
      }
    }
    return true;
  }
}

/** More than the bars that can still change. */
const KEPT_BARS = 1_000;

function liveBar({ symbol, time, open, high, low, close, volume, closed }: BarMessage): LiveBar {
  return { type: 'live', symbol, time, open, high, low, close, volume, closed };
}
