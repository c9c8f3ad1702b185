// Bars of a long range, read in pages of stored bars: memory does not grow with the range. The bars are those of
// `readChartBars`.
import { TIMEFRAME_MS } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  ChartBars,
  type ChartInterval,
  intervalAt,
  type MarketSymbol,
  MINUTE_MS,
  roundSize,
  storedTimeframe,
} from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';
import { type Chart, type ChartRange, importedSeries, LATEST, mergeBars, readChartBars } from './chart-reader.ts';
import type { BarSources } from './recorded-history.ts';

/** Stored bars that are read at a time. */
const PAGE = 5_000;

export interface BarStreamRange {
  readonly symbol: MarketSymbol;
  /** Start times of bars, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** The caller does not read the volumes by side and the basis, which takes less time. Default false. */
  readonly pricesOnly?: boolean;
}

/** Bars in ascending order, in batches; the last one may still be forming. */
export async function* streamBars(
  sources: BarSources,
  chart: Chart,
  range: BarStreamRange,
): AsyncGenerator<readonly Bar[], void, void> {
  const { symbol, from, to } = range;
  const series = importedSeries(chart);
  const imported = series === null ? null : new ImportedBars(sources, symbol, series, from, to);
  for await (const made of streamMadeBars(sources, chart, range)) {
    yield imported && made.length > 0 ? await imported.mergeInto(made, made.at(-1)!.time) : made;
  }
  if (!imported) return;
  for (let rest = await imported.next(to); rest.length > 0; rest = await imported.next(to)) yield rest;
}

/** The `limit` oldest or newest bars of a range, in ascending order. */
export async function* streamLimitedBars(
  sources: BarSources,
  chart: Chart,
  range: ChartRange,
): AsyncGenerator<readonly Bar[], void, void> {
  if (range.first === 'newest') {
    yield await newestBars(sources, chart, range);
    return;
  }
  let left = range.limit;
  for await (const bars of streamBars(sources, chart, range)) {
    yield bars.slice(0, left);
    left -= bars.length;
    if (left <= 0) return;
  }
}

/** A page of long bars may be shorter than its limit. */
async function newestBars(sources: BarSources, chart: Chart, range: ChartRange): Promise<readonly Bar[]> {
  let { limit, to } = range;
  let found: readonly Bar[] = [];
  for (;;) {
    const { bars, hasMore } = await readChartBars(sources, chart, { ...range, limit, to });
    found = [...bars, ...found];
    limit -= bars.length;
    if (!hasMore || limit <= 0) return found;
    to = bars[0]!.time - 1;
  }
}

async function* streamMadeBars(
  { store, view }: BarSources,
  { interval, day }: Chart,
  { symbol, from, to, pricesOnly: isNarrow = false }: BarStreamRange,
): AsyncGenerator<readonly Bar[], void, void> {
  const timeframe = storedTimeframe(interval, day);
  const start = intervalAt(asEpochMs(from), interval, day);
  const last = to === LATEST ? LATEST : intervalAt(asEpochMs(to), interval, day).end - 1;
  const length = TIMEFRAME_MS[timeframe];
  const chart = isStored(interval, length) ? null : new ChartBars(interval, day);
  // A longer bar is made of the bases of its stored ones.
  const pricesOnly = isNarrow && chart === null;
  let next: number = start.start === from ? from : start.end;
  while (next <= last) {
    const stored = await store.bars({
      symbol,
      timeframe,
      from: next,
      to: last,
      limit: PAGE,
      first: 'oldest',
      pricesOnly,
    });
    const isLast = stored.length < PAGE;
    const end = isLast ? last : stored.at(-1)!.time;
    const bars = mergeBars(stored, view.recent(symbol, timeframe, next, end));
    yield chart ? await charted(chart, bars) : pricesOnly ? roundedVolumes(bars) : rounded(bars);
    if (isLast) break;
    next = end + 1;
  }
  if (chart?.forming) yield [chart.forming];
}

/** Whether a bar of the chart is one stored bar. */
const isStored = (interval: ChartInterval, length: number): boolean =>
  interval.unit === 'minute' && interval.minutes * MINUTE_MS === length;

async function charted(chart: ChartBars, stored: readonly Bar[]): Promise<Bar[]> {
  const bars: Bar[] = [];
  const pause = pauses();
  for (const bar of stored) {
    const closed = chart.add(bar);
    if (closed) bars.push(closed);
    await pause();
  }
  return bars;
}

/** As bars that are made of others are. Those of the service are; imported ones may not be. */
function rounded(bars: readonly Bar[]): readonly Bar[] {
  if (bars.every(isRounded)) return bars;
  return bars.map((bar) => ({
    ...bar,
    volume: roundSize(bar.volume),
    bidVolume: roundSize(bar.bidVolume),
    askVolume: roundSize(bar.askVolume),
  }));
}

const roundedVolumes = (bars: readonly Bar[]): readonly Bar[] =>
  bars.every(({ volume }) => roundSize(volume) === volume)
    ? bars
    : bars.map((bar) => ({ ...bar, volume: roundSize(bar.volume) }));

const isRounded = ({ volume, bidVolume, askVolume }: Bar): boolean =>
  roundSize(volume) === volume && roundSize(bidVolume) === bidVolume && roundSize(askVolume) === askVolume;

/** Imported bars of the interval, which come before those that are made of others. */
class ImportedBars {
  readonly #read: (from: number) => Promise<readonly Bar[]>;
  #page: readonly Bar[] = [];
  #at = 0;
  #from: number;
  #isLast = false;

  constructor({ store }: BarSources, symbol: MarketSymbol, timeframe: string, from: number, to: number) {
    this.#from = from;
    this.#read = (next) => store.bars({ symbol, timeframe, from: next, to, limit: PAGE, first: 'oldest' });
  }

  /** The next bars up to a time; none if there are no more. */
  async next(until: number): Promise<readonly Bar[]> {
    if (this.#at === this.#page.length && !this.#isLast) {
      this.#page = await this.#read(this.#from);
      this.#at = 0;
      this.#isLast = this.#page.length < PAGE;
      if (!this.#isLast) this.#from = this.#page.at(-1)!.time + 1;
    }
    const start = this.#at;
    while (this.#at < this.#page.length && this.#page[this.#at]!.time <= until) this.#at++;
    return this.#page.slice(start, this.#at);
  }

  async mergeInto(made: readonly Bar[], until: number): Promise<readonly Bar[]> {
    const found: Bar[] = [];
    for (let next = await this.next(until); next.length > 0; next = await this.next(until)) found.push(...next);
    return mergeBars(made, found);
  }
}
