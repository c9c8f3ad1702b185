// Draws one indicator over the prices.
import type { ChartCandle } from '../bars/chart-bars.ts';
import type { ChartHost } from '../frame/chart-part.ts';
import type { IndicatorChoice } from './indicator-choice.ts';
import type { IndicatorLines } from './indicator-lines.ts';
import { lineKind, pointColor, unsettled } from './indicator-style.ts';
import type { IndicatorValues } from './indicator-values.ts';
import { OverlayLayer, type OverlayLine } from './overlay-layer.ts';
import { restartsBetween } from './vwap-restart.ts';

interface Line extends OverlayLine {
  /** Which of the indicator's lines. */
  readonly at: number;
  offset: number;
  readonly values: (number | null)[];
  readonly colors: string[];
}

export class OverlayLines implements IndicatorLines {
  readonly pane = null;
  readonly levelSeries = null;
  readonly #choice: IndicatorChoice;
  readonly #host: ChartHost;
  readonly #layer: OverlayLayer;
  readonly #lines: readonly Line[];

  constructor(host: ChartHost, choice: IndicatorChoice) {
    this.#choice = choice;
    this.#host = host;
    this.#layer = new OverlayLayer(host);
    this.#lines = choice.lines.flatMap((name, at): readonly Line[] => {
      const kind = lineKind(choice, name);
      // None over the prices has a histogram.
      return kind === 'hidden' || kind === 'histogram' ? [] : [{ name, at, kind, offset: 0, values: [], colors: [] }];
    });
  }

  draw(candles: readonly ChartCandle[], values: IndicatorValues, from: number): void {
    const step = this.#host.bars()?.intervalMs ?? 0;
    for (const line of this.#lines) {
      line.offset = values.offsets[line.name] ?? 0;
      line.values.length = line.colors.length = Math.min(from, line.values.length);
      for (let index = line.values.length; index < candles.length; index++) {
        const point = values.at(candles[index]!.time);
        const starts = index > 0 && restartsBetween(this.#choice, candles[index - 1]!.time, candles[index]!.time, step);
        const color = point && !starts ? pointColor(this.#choice, line.name, point.values) : '';
        line.values.push(point?.values[line.at] ?? null);
        line.colors.push(point?.settled === false ? unsettled(color) : color);
      }
    }
    // The range of prices is that of the bars if only their newest one has changed.
    this.#layer.show(this.#lines, from < candles.length - 1);
  }

  clear(): void {
    for (const line of this.#lines) line.values.length = line.colors.length = 0;
    this.#layer.show(this.#lines);
  }

  lineAt(x: number, y: number, reach: number): string | null {
    const position = this.#host.chart.timeScale().coordinateToLogical(x);
    if (position === null) return null;
    const found = this.#lines.find((line) => {
      const value = this.#layer.valueAt(line, position);
      const at = value === null ? null : this.#host.yOf(value);
      return at !== null && Math.abs(at - y) <= reach;
    });
    return found?.name ?? null;
  }

  valueAt(): null {
    return null;
  }

  remove(): void {
    this.#layer.remove();
  }
}
