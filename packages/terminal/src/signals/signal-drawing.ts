// Draws a signal on the chart of its page: its levels, its risk and reward from publication to close, and what happened to it.
import type { SignalDetail } from '@tickwire/client';
import type { ChartBars } from '../chart/bars/chart-bars.ts';
import type { LegendFigure } from '../chart/frame/chart-part.ts';
import { type AxisLevel, LevelAxis } from '../chart/layers/level-axis.ts';
import { type Mark, MarkLayer } from '../chart/layers/mark-layer.ts';
import { timestampOf } from '../chart/layers/plot-options.ts';
import { SpanLayer } from '../chart/layers/span-layer.ts';
import type { RangeChart } from '../chart/range-chart.ts';
import { price } from '../ui/format.ts';
import { currentPalette } from '../ui/theme.ts';
import { momentsOf, type SignalMoment, type SignalMomentKind } from './signal-moments.ts';

/** Colours of the palette and shapes, and the letters of the key below the chart that look like them. */
export const MARKS: Readonly<
  Record<
    SignalMomentKind,
    Pick<Mark, 'shape'> & { readonly color: 'muted' | 'accent' | 'up' | 'text'; readonly key: string }
  >
> = {
  published: { shape: 'triangle', color: 'muted', key: '▲' },
  filled: { shape: 'circle', color: 'accent', key: '●' },
  exit: { shape: 'diamond', color: 'up', key: '◆' },
  closed: { shape: 'square', color: 'text', key: '■' },
};

export class SignalDrawing {
  readonly #chart: RangeChart;
  readonly #signal: SignalDetail;
  readonly #moments: readonly SignalMoment[];
  readonly #digits: () => number;
  readonly #levels: LevelAxis;
  readonly #spans: SpanLayer;
  readonly #marks: MarkLayer;

  constructor(chart: RangeChart, signal: SignalDetail, digits: () => number) {
    this.#chart = chart;
    this.#signal = signal;
    this.#digits = digits;
    this.#moments = momentsOf(signal);
    this.#spans = new SpanLayer(chart.prices);
    this.#levels = new LevelAxis(chart.prices);
    this.#marks = new MarkLayer(chart.prices, currentPalette);
  }

  /** `now`: the current price; `null` for a closed signal. */
  showLevels(now: number | null): void {
    const { targets, entry, stop_loss, current_stop_loss } = this.#signal;
    const { text, up, down, accent } = currentPalette();
    const level = (name: string, at: number, color: string): AxisLevel => ({
      ...{ price: at, color, text: `${name} ${price(at, this.#digits())}` },
    });
    this.#levels.show([
      ...targets.map((target, index) => level(targets.length > 1 ? `Target ${index + 1}` : 'Target', target.price, up)),
      level('Entry', entry, text),
      ...(current_stop_loss === stop_loss ? [] : [level('Stop now', current_stop_loss, down)]),
      level('Stop', stop_loss, down),
      ...(now === null ? [] : [{ ...level('Now', now, accent), isNow: true }]),
    ]);
  }

  /** Called when the chart has other bars. */
  showMoments(series: ChartBars): void {
    const { entry, stop_loss, take_profit, direction } = this.#signal;
    const palette = currentPalette();
    const indexOf = (kind: SignalMomentKind): number | null => {
      const moment = this.#moments.find((each) => each.kind === kind);
      return moment ? this.#chart.indexOf(moment.at) : null;
    };
    const [published, closed] = [indexOf('published')!, indexOf('closed')];
    const ends = closed === null ? [published] : [published, closed];
    this.#spans.show(
      ends.map((at) => ({ at, color: palette.muted })),
      [
        { from: published, to: closed, prices: [entry, take_profit], color: palette.up },
        { from: published, to: closed, prices: [entry, stop_loss], color: palette.down },
      ],
    );
    this.#marks.show(
      this.#moments.map(({ kind, at, price: traded }): Mark => {
        const { shape, color } = MARKS[kind];
        const candle = series.candles[this.#chart.indexOf(at)]!;
        const look = { time: timestampOf(candle), shape, color: palette[color] };
        if (traded !== null) return { ...look, side: 'at', price: () => traded, edge: palette.panel };
        // Where the position is not: away from its target.
        return direction === 'buy'
          ? { ...look, side: 'below', price: () => candle.low }
          : { ...look, side: 'above', price: () => candle.high };
      }),
    );
  }

  /** What happened during a bar, for the legend. */
  figures(at: number): readonly LegendFigure[] {
    return this.#moments
      .filter((moment) => this.#chart.indexOf(moment.at) === at)
      .map(({ text, price: traded }) => {
        const figure = traded === null ? '' : price(traded, this.#digits());
        return { name: text, text: figure, sign: 'none', words: `${text} ${figure}`.trim() };
      });
  }
}
