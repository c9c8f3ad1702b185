// The figures of one bar in the legend, and the chart in words for screen readers.

import type { ChartBars } from '../bars/chart-bars.ts';
import type { BarMarkLayers } from '../layers/bar-mark-layers.ts';
import { BarReader } from './bar-reader.ts';
import type { ChartFrame } from './chart-frame.ts';
import type { ChartPart } from './chart-part.ts';
import { type Legend, type Reading, summaryOf } from './legend.ts';

export interface ChartReadingOptions {
  readonly legend: Legend;
  readonly frame: ChartFrame;
  readonly series: () => ChartBars | null;
  readonly digits: () => number;
  readonly parts: () => readonly Pick<ChartPart, 'figures'>[];
  /** Headlines and events by bar. */
  readonly marks: () => Pick<BarMarkLayers, 'newsOf' | 'eventsOf'> | null;
  /** Marks the bar chosen by keys; `null` removes the mark. */
  readonly mark: (at: number | null) => void;
  readonly onChange: () => void;
}

/** Interval of the summary for screen readers. */
const SUMMARY_EVERY_MS = 5_000;

export class ChartReading {
  readonly reader: BarReader;
  readonly #options: ChartReadingOptions;
  #summaryAt = 0;

  constructor(options: ChartReadingOptions) {
    const { series, mark, frame, onChange } = options;
    this.#options = options;
    this.reader = new BarReader({
      series,
      read: (bars, at) => this.#readingAt(bars, at),
      mark,
      announce: (words) => frame.announce(words),
      onChange,
    });
  }

  /** Called for another instrument or interval. */
  reset(): void {
    this.reader.reset();
    this.#summaryAt = 0;
    this.#options.legend.clear();
  }

  /** `name`: the instrument and the interval. */
  show(series: ChartBars, name: string): void {
    const { legend, frame, digits } = this.#options;
    const reading = this.reader.reading(series);
    if (reading) legend.show(reading);
    else legend.clear();
    if (performance.now() < this.#summaryAt) return;
    this.#summaryAt = performance.now() + SUMMARY_EVERY_MS;
    frame.setSummary(summaryOf(name, series.candles, digits()));
  }

  #readingAt(series: ChartBars, at: number): Reading | null {
    const { candles, intervalMs } = series;
    const { digits, parts, marks } = this.#options;
    const candle = candles[at];
    if (!candle) return null;
    return {
      candle,
      before: candles[at - 1]?.close ?? null,
      intervalMs,
      digits: digits(),
      figures: parts().flatMap((part) => part.figures?.(series, at) ?? []),
      news: marks()?.newsOf(at) ?? [],
      events: marks()?.eventsOf(at) ?? [],
    };
  }
}
