// `GET /api/footprint/{symbol}`: volume at price of each bar, page by page.
import { type FootprintBar, type FootprintPage, type FootprintQuery, iso } from '@tickwire/contract';
import {
  type Bar,
  fromTicks,
  type InstrumentSpec,
  intervalAt,
  MINUTE_MS,
  tradedVolume,
  VolumeByPrice,
} from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';
import { type Chart, type ChartRange, parseChart, readChartBars } from './chart-reader.ts';
import { levelsOf, levelTicksOf, limitLevels } from './level-height.ts';
import { minuteVolumes, type VolumeSources, volumeBeyond } from './recorded-volume.ts';
import { priceLevels, sideMethodOf } from './volume-profile.ts';

/** Bounds the work and the size of one page: it may have fewer bars than asked for. */
export const MAX_FOOTPRINT_MINUTES = 45_000;
const MAX_LEVELS = 20_000;

/** One page, with the bar that the next one continues after. */
export interface FootprintResult {
  readonly page: Omit<FootprintPage, 'next'>;
  /** The bars of the page, which is a part of those asked for if `hasMore` is set. */
  readonly bars: readonly Bar[];
  readonly chart: Chart;
  readonly hasMore: boolean;
}

interface OpenBar {
  readonly bar: Bar;
  readonly byPrice: VolumeByPrice;
  /** Of its minutes. */
  volume: number;
  uncovered: number;
}

export async function footprintsOf(
  sources: VolumeSources,
  spec: InstrumentSpec,
  query: FootprintQuery,
  range: Pick<ChartRange, 'from' | 'to' | 'first'>,
): Promise<FootprintResult> {
  const chart = parseChart(query);
  const levelTicks = levelTicksOf(spec, query.level);
  const { interval, day } = chart;
  const endOf = (bar: Bar): number => intervalAt(bar.time, interval, day).end;
  const asked = { symbol: spec.symbol, ...range, limit: query.limit };
  const read = await readChartBars(sources, chart, asked);
  const bars = fittingMinutes(read.bars, endOf, range.first);
  let sides = 0;
  const open = bars.map((bar): OpenBar => ({ bar, byPrice: new VolumeByPrice(levelTicks), volume: 0, uncovered: 0 }));
  if (bars.length > 0) {
    let at = 0;
    const whole = { from: bars[0]!.time, to: endOf(bars.at(-1)!) };
    for await (const { time, histogram, volume } of minuteVolumes(sources, spec, whole)) {
      while (at < bars.length - 1 && time >= bars[at + 1]!.time) at++;
      const current = open[at]!;
      // A minute that is in no bar: it was recorded after the bars were read.
      if (time < current.bar.time || time >= endOf(current.bar)) continue;
      current.volume += volume;
      if (!histogram) {
        current.uncovered += volume;
        continue;
      }
      sides |= histogram.sides;
      for (const level of levelsOf(histogram, spec, levelTicks)) current.byPrice.add(level);
    }
  }
  const items: FootprintBar[] = [];
  const pause = pauses();
  for (const each of open) {
    items.push(footprintOf(each, spec, levelTicks));
    await pause();
  }
  const [start, end] = fittingLevels(items, range.first);
  return {
    page: {
      symbol: spec.symbol,
      level: fromTicks(levelTicks, spec.digits),
      side_method: sideMethodOf(sides),
      interval: query.interval,
      align: query.align,
      items: items.slice(start, end),
    },
    bars: bars.slice(start, end),
    chart,
    hasMore: read.hasMore || end - start < read.bars.length,
  };
}

function footprintOf(
  { bar, byPrice, volume, uncovered }: OpenBar,
  spec: InstrumentSpec,
  levelTicks: number,
): FootprintBar {
  const profile = byPrice.profile();
  if (profile) limitLevels(spec, levelTicks, profile.levels);
  return {
    time: iso(bar.time),
    volume: profile?.volume ?? 0,
    delta: profile?.delta ?? 0,
    levels: priceLevels(profile?.levels ?? [], spec),
    uncovered_volume: volumeBeyond(uncovered + volumeBeyond(tradedVolume(bar), volume), 0),
  };
}

/** The bars of a page whose minutes one request may read, at least one. */
function fittingMinutes(bars: readonly Bar[], endOf: (bar: Bar) => number, first: ChartRange['first']): readonly Bar[] {
  const most = MAX_FOOTPRINT_MINUTES * MINUTE_MS;
  if (bars.length < 2 || endOf(bars.at(-1)!) - bars[0]!.time <= most) return bars;
  const fits =
    first === 'oldest'
      ? bars.filter((bar) => endOf(bar) - bars[0]!.time <= most)
      : bars.filter((bar) => endOf(bars.at(-1)!) - bar.time <= most);
  return fits.length > 0 ? fits : first === 'oldest' ? bars.slice(0, 1) : bars.slice(-1);
}

/** First and last index (exclusive) of the bars of a page that have few enough levels together, at least one bar. */
function fittingLevels(items: readonly FootprintBar[], first: ChartRange['first']): readonly [number, number] {
  let [count, levels] = [0, 0];
  for (const { levels: more } of first === 'oldest' ? items : items.toReversed()) {
    levels += more.length;
    if (count > 0 && levels > MAX_LEVELS) break;
    count++;
  }
  return first === 'oldest' ? [0, count] : [items.length - count, items.length];
}
