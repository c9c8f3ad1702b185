// Bars from history into live, as one sequence: REST pages first, then the stream from the position of the last page. If the
// stream loses messages, the bars since then are fetched again. Intervals without a stream are made of shorter bars.
import type { BarMessage, BarsPage, Interval, OhlcvBar, StreamPosition, Timeframe } from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';
import { plainSymbol } from '../common/plain-symbol.ts';
import type { BarsOptions } from '../rest/options.ts';
import type { CallOptions, Positioned } from '../rest/request.ts';
import { AMENDABLE_SECONDS, type BarPrices, DerivedBars, streamedTimeframe } from './derived-bars.ts';
import type { Gap } from './gap.ts';
import type { LiveOptions, LiveStream } from './live-stream.ts';
import { withPosition } from './stated-position.ts';

/**
 * Which bars to follow.
 * @example client.followBars('EURUSD', { timeframe: '5m', from: Date.now() - 86_400_000 });
 */
export interface FollowBarsOptions
  extends Pick<LiveOptions<'bars'>, 'buffer' | 'heartbeatSeconds' | 'signal' | 'onState'> {
  /**
   * Length of a bar: minutes or hours up to a day, `1d`, `1w` or `1M`. Default `1h`. Live bars of lengths other than those of
   * streams are made of shorter ones, and close with the last of those or with the first one after it.
   */
  readonly timeframe?: Interval;
  /** Where days start. Only `utc`, the default, can be followed; `bars` has all alignments. */
  readonly align?: 'utc';
  /** Start of the history. Default: the newest `limit` bars. */
  readonly from?: Instant;
  /** Number of bars of the history without `from`, 1 to 10,000. Default 500. */
  readonly limit?: number;
}

/** Prices and volume of a followed bar. */
interface FollowedPrices extends BarPrices {
  /** Instrument code. */
  readonly symbol: string;
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

export async function* followBars(
  source: BarSource,
  symbol: string,
  options: FollowBarsOptions = {},
): AsyncGenerator<FollowedBar, void, undefined> {
  const { timeframe: interval = '1h', align = 'utc', from, limit = 500, signal, ...live } = options;
  if (align !== 'utc') throw new RangeError(`\`align\` must be utc: bars of ${align} cannot be followed`);
  const streamed = streamedTimeframe(interval);
  const derived = streamed ? null : new DerivedBars(interval);
  const timeframe = streamed ?? derived!.part;
  const call = signal ? { signal } : {};
  const fetch = (query: BarsOptions) => withPosition(symbol, signal, () => source.page({ interval, ...query }, call));
  const history = new SentBars(symbol);
  /** From here on, bars can still change. */
  const amendable = (): number => {
    const since = (history.newest || Math.floor(Date.now() / 1_000)) - AMENDABLE_SECONDS;
    return derived ? derived.startOf(since) : since - secondsOf(timeframe);
  };

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

  /** Everything that can still change, in streamed bars. */
  async function* recent(): AsyncGenerator<HistoryBar, void, undefined> {
    const query = { interval: timeframe, from: amendable(), limit: PAGE };
    for (let cursor: string | null | undefined; cursor !== null; cursor = body.next) {
      ({ body, position } = await fetch(cursor === undefined ? query : { ...query, cursor }));
      if (derived) yield* history.changedBars(derived.add(body.items.map(toPrices)));
      else yield* history.changed(body.items);
    }
  }
  if (derived) yield* recent();

  const base = { ...live, ...(signal && { signal }), symbols: [symbol], timeframe, seq: true };
  const stream = source.open({ ...base, resumeFrom: position });
  try {
    for await (const event of stream.events()) {
      if (event.type === 'message') {
        if (isKnown(event.message, position)) continue;
        const { symbol: code } = event.message;
        for (const bar of derived?.addLive(event.message) ?? [event.message]) {
          history.note(bar);
          yield liveBar(code, bar);
        }
      } else if (event.type === 'gap') {
        yield event;
        // What the stream has sent meanwhile is older than this answer, and skipped.
        yield* recent();
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
    this.#symbol = plainSymbol(symbol);
  }

  changed(bars: readonly OhlcvBar[]): Generator<HistoryBar, void, undefined> {
    return this.changedBars(bars.map(toPrices));
  }

  *changedBars(bars: readonly BarPrices[]): Generator<HistoryBar, void, undefined> {
    for (const bar of bars) if (this.note(bar)) yield { type: 'history', symbol: this.#symbol, ...bar };
  }

  /** Returns whether the bar is new or has changed. */
  note({ time, open, high, low, close, volume }: BarPrices): boolean {
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

const toPrices = ({ time, open, high, low, close, volume }: OhlcvBar): BarPrices => ({
  time: Date.parse(time) / 1_000,
  open,
  high,
  low,
  close,
  volume,
});

const liveBar = (
  symbol: string,
  { time, open, high, low, close, volume, closed }: BarPrices & { readonly closed: boolean },
): LiveBar => ({ type: 'live', symbol, time, open, high, low, close, volume, closed });
