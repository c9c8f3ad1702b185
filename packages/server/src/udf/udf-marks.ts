// Signals and headlines as marks on the bars of TradingView charts. A mark must have the time of a bar, and a bar shows at most
// ten. Charts show the text of a mark as HTML.
import {
  fromViewOf,
  MAX_CHART_BARS,
  type NewsDetail,
  type Signal,
  type UdfMarks,
  type UdfMarksQuery,
} from '@tickwire/contract';
import { type Bar, intervalAt, type MarketSymbol } from '@tickwire/engine';
import type { BarSources } from '../history/recorded-history.ts';
import type { NewsFeed } from '../news/news-feed.ts';
import type { SignalFeed } from '../signals/signal-feed.ts';
import { chartOf, fromUnixSeconds, newestBars, secondsOf } from './udf-history.ts';

const MARKS_PER_BAR = 10;
/** Signals are read from the newest back. */
const SIGNAL_PAGE = 500;
const MAX_SIGNAL_PAGES = 4;
const MAX_HEADLINES = 200;

export interface MarkSources {
  readonly signals: Pick<SignalFeed, 'list'>;
  readonly news: Pick<NewsFeed, 'list'>;
}

interface Mark {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly color: 'green' | 'red' | 'blue';
  readonly text: string;
  readonly label: 'B' | 'S' | 'N';
  readonly minSize: number;
}

export async function udfMarks(
  sources: BarSources,
  { signals, news }: MarkSources,
  symbol: MarketSymbol,
  { resolution, from, to }: UdfMarksQuery,
): Promise<UdfMarks> {
  const chart = chartOf(resolution);
  const bars = await newestBars(sources, chart, symbol, fromUnixSeconds(from), fromUnixSeconds(to) - 1, MAX_CHART_BARS);
  const marks: (readonly [Mark, Bar])[] = [];
  if (bars.length > 0) {
    const start = bars[0]!.time;
    const { end } = intervalAt(bars.at(-1)!.time, chart.interval, chart.day);
    const found = [
      ...(await signalsOf(signals, symbol, start)).map(signalMark),
      ...(await headlinesOf(news, symbol, start, end)).map((item) => headlineMark(fromViewOf(item, symbol))),
    ];
    const count = new Map<Bar, number>();
    for (const mark of found.filter(({ time }) => time >= start && time < end)) {
      const bar = barAt(bars, mark.time);
      count.set(bar, (count.get(bar) ?? 0) + 1);
      if (count.get(bar)! <= MARKS_PER_BAR) marks.push([mark, bar]);
    }
  }
  return {
    id: marks.map(([{ id }]) => id),
    time: marks.map(([, bar]) => secondsOf(bar)),
    color: marks.map(([{ color }]) => color),
    text: marks.map(([{ text }]) => Bun.escapeHTML(text)),
    label: marks.map(([{ label }]) => label),
    labelFontColor: marks.map(() => 'white'),
    minSize: marks.map(([{ minSize }]) => minSize),
  };
}

/** The last bar that starts at or before a time. The first one does. */
function barAt(bars: readonly Bar[], time: number): Bar {
  let [low, high] = [0, bars.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (bars[middle]!.time <= time) low = middle;
    else high = middle;
  }
  return bars[low]!;
}

/** Newest first, down to a time. */
async function signalsOf(feed: MarkSources['signals'], symbol: string, from: number): Promise<Signal[]> {
  const found: Signal[] = [];
  for (let page = 0; page < MAX_SIGNAL_PAGES; page++) {
    const query = { status: 'all', symbol, user: undefined, before: found.at(-1)?.id, limit: SIGNAL_PAGE } as const;
    const signals = await feed.list(query);
    found.push(...signals);
    if (signals.length < SIGNAL_PAGE || Date.parse(found.at(-1)!.timestamp) < from) break;
  }
  return found;
}

const headlinesOf = async (feed: MarkSources['news'], symbol: string, from: number, to: number) =>
  (await feed.list({
    category: undefined,
    symbol,
    since: undefined,
    before: undefined,
    from,
    to,
    detail: true,
    limit: MAX_HEADLINES,
  })) as readonly NewsDetail[];

function signalMark(signal: Signal): Mark {
  const { id, direction, entry, stop_loss, take_profit, user, timestamp } = signal;
  const isBuy = direction === 'buy';
  const terms = `${isBuy ? 'Buy' : 'Sell'} at ${entry}, stop ${stop_loss}, target ${take_profit}, by ${user}`;
  const result = signal.status === 'closed' ? `; closed with ${signal.pnl} pips (${signal.close_reason})` : '';
  return {
    id,
    time: Date.parse(timestamp),
    color: isBuy ? 'green' : 'red',
    text: terms + result,
    label: isBuy ? 'B' : 'S',
    minSize: 14,
  };
}

const COLORS = { bullish: 'green', neutral: 'blue', bearish: 'red' } as const;

const headlineMark = ({ id, title, sentiment, timestamp }: NewsDetail): Mark => ({
  id: `news ${id}`,
  time: Date.parse(timestamp),
  color: COLORS[sentiment],
  text: title,
  label: 'N',
  minSize: 10,
});
