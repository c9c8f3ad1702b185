// Draws one indicator in a separate pane: a series of the library for each line.
import {
  type HistogramData,
  HistogramSeries,
  type IPaneApi,
  type ISeriesApi,
  type LineData,
  LineSeries,
  LineStyle,
  type Time,
  type UTCTimestamp,
  type WhitespaceData,
} from 'lightweight-charts';
import { currentPalette, faint } from '../../ui/theme.ts';
import type { ChartCandle } from '../bars/chart-bars.ts';
import type { ChartHost } from '../frame/chart-part.ts';
import { setHistogram, updateHistogram } from '../layers/histogram-data.ts';
import type { LevelSeries } from '../layers/level-lines.ts';
import { quietLine, timestampOf } from '../layers/plot-options.ts';
import type { IndicatorChoice } from './indicator-choice.ts';
import type { IndicatorLines } from './indicator-lines.ts';
import { formatOf, guidesOf, lineColor, lineKind, pointColor, unsettled } from './indicator-style.ts';
import type { IndicatorValues } from './indicator-values.ts';

/** Height of a pane relative to that of the candles. */
const PANE_HEIGHT = 0.28;

interface LineOf<Kind extends 'Line' | 'Histogram'> {
  readonly name: string;
  readonly at: number;
  readonly kind: Kind;
  readonly series: ISeriesApi<Kind>;
}

type DrawnLine = LineOf<'Line'> | LineOf<'Histogram'>;

type Point = LineData<Time> | HistogramData<Time> | WhitespaceData<Time>;

function setPoints(line: DrawnLine, points: Point[]): void {
  if (line.kind === 'Histogram') setHistogram(line.series, points);
  else line.series.setData(points);
}

function updatePoint(line: DrawnLine, point: Point, historical: boolean): void {
  if (line.kind === 'Histogram') updateHistogram(line.series, point, historical);
  else line.series.update(point, historical);
}

export class PaneLines implements IndicatorLines {
  readonly pane: IPaneApi<Time>;
  readonly #choice: IndicatorChoice;
  readonly #host: ChartHost;
  readonly #lines: readonly DrawnLine[];
  #drawn = 0;
  #digits = -1;

  constructor(host: ChartHost, choice: IndicatorChoice) {
    this.#choice = choice;
    this.#host = host;
    const pane = host.chart.addPane();
    this.pane = pane;
    this.#lines = choice.lines.flatMap((name, at): readonly DrawnLine[] => {
      const kind = lineKind(choice, name);
      if (kind === 'hidden') return [];
      const look = { ...quietLine(lineColor(choice, name)), lastValueVisible: at === 0 };
      return kind === 'histogram'
        ? [{ name, at, kind: 'Histogram', series: pane.addSeries(HistogramSeries, look) }]
        : [{ name, at, kind: 'Line', series: pane.addSeries(LineSeries, look) }];
    });
    const { line, muted } = currentPalette();
    for (const value of guidesOf(choice))
      this.#lines[0]?.series.createPriceLine({
        ...{ price: value, color: faint(muted, '88'), lineStyle: LineStyle.Dashed, lineWidth: 1 },
        ...{ axisLabelVisible: false, title: '', axisLabelColor: line },
      });
    pane.setStretchFactor(host.chart.panes()[0]!.getStretchFactor() * PANE_HEIGHT);
    pane.priceScale('right').applyOptions({ scaleMargins: { top: 0.18, bottom: 0.08 } });
  }

  draw(candles: readonly ChartCandle[], values: IndicatorValues, from: number): void {
    const digits = this.#host.market()?.digits ?? 2;
    if (digits !== this.#digits) {
      this.#digits = digits;
      for (const { series } of this.#lines) series.applyOptions({ priceFormat: formatOf(this.#choice, digits) });
    }
    for (const line of this.#lines) {
      const point = (candle: ChartCandle) => this.#point(candle, values, line.name, line.at);
      if (from === 0) setPoints(line, candles.map(point));
      else
        for (let index = from; index < candles.length; index++)
          updatePoint(line, point(candles[index]!), index < this.#drawn - 1);
    }
    this.#drawn = candles.length;
  }

  clear(): void {
    for (const line of this.#lines) setPoints(line, []);
    this.#drawn = 0;
    this.#digits = -1;
  }

  lineAt(): null {
    return null;
  }

  get levelSeries(): LevelSeries | null {
    return this.#lines[0]?.series ?? null;
  }

  valueAt(y: number): number | null {
    return this.#lines[0]?.series.coordinateToPrice(y) ?? null;
  }

  /** The library removes a pane with its last series. */
  remove(): void {
    for (const { series } of this.#lines) this.#host.chart.removeSeries(series);
  }

  #point(candle: ChartCandle, values: IndicatorValues, name: string, at: number) {
    const time: UTCTimestamp = timestampOf(candle);
    const point = values.at(candle.time);
    const value = point?.values[at] ?? null;
    if (!point || value === null) return { time };
    const color = pointColor(this.#choice, name, point.values);
    return { time, value, color: point.settled ? color : unsettled(color) };
  }
}
