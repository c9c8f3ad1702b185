// Delta and cumulative delta below the candles, with marks where absorption was reported.
import type { OrderFlowTick } from '@tickwire/client';
import { absorptionText } from '../../services/absorption-text.ts';
import { NO_VALUE, signedVolume } from '../../ui/format.ts';
import { barAt } from '../bars/bar-marks.ts';
import type { Changes, ChartBars, ChartCandle } from '../bars/chart-bars.ts';
import type { ChartHost, ChartMarket, ChartPart, LegendFigure } from '../frame/chart-part.ts';
import { fullTimeLabel } from '../layers/time-labels.ts';
import { Absorptions } from './absorptions.ts';
import {
  anchorOf,
  CumulativeDelta,
  type DayFigure,
  deltaOf,
  type Opening,
  type SumStart,
  sinceText,
  steadyOpening,
} from './cumulative-delta.ts';
import type { FlowSettings } from './flow-choices.ts';
import { FlowPanes } from './flow-panes.ts';
import { WeekOpening } from './week-opening.ts';

/** A lower chart has room for the candles only. Pixels. */
const MIN_HEIGHT = 420;

export class DeltaPart implements ChartPart {
  readonly #host: ChartHost;
  readonly #settings: FlowSettings;
  readonly #absorptions = new Absorptions();
  readonly #cumulative = new CumulativeDelta();
  readonly #week: WeekOpening;
  #panes: { readonly title: string; readonly drawn: FlowPanes } | null = null;
  #symbol = '';
  #today: DayFigure | null = null;
  #opening: Opening | null = null;
  #firstVisible: number | null = null;
  #marksChanged = true;

  constructor(host: ChartHost, settings: FlowSettings) {
    this.#host = host;
    this.#settings = settings;
    this.#week = new WeekOpening({ client: host.services.client, signal: host.signal, onChange: host.redraw });
    host.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      const first = range && Math.max(0, Math.ceil(range.from));
      if (first === this.#firstVisible) return;
      this.#firstVisible = first;
      const series = host.bars();
      if (series && this.#shown && anchorOf(settings.choices.anchor, series.intervalMs) === 'view') host.redraw();
    });
  }

  open({ instrument: { symbol } }: ChartMarket): void {
    if (symbol !== this.#symbol) this.#today = null;
    this.#symbol = symbol;
    this.#opening = null;
    this.#removePanes();
  }

  orderFlow({ symbol, time, price, cumulative_delta, absorption }: OrderFlowTick): void {
    this.#today = { time: time * 1_000, value: cumulative_delta };
    if (this.#opening === null) this.#host.redraw();
    if (absorption === null) return;
    this.#absorptions.add(symbol, { time: time * 1_000, side: absorption, price });
    this.#marksChanged = true;
    this.#host.redraw();
  }

  draw(series: ChartBars, { all, from }: Changes): void {
    const { candles } = series;
    const start = this.#startOf(series);
    const sumsFrom = this.#cumulative.update(candles, from, start);
    if (!this.#shown) {
      this.#removePanes();
      return;
    }
    const title = this.#titleOf(series, start);
    if (this.#panes?.title !== title) this.#removePanes();
    if (!this.#panes || all) {
      this.#panes ??= { title, drawn: new FlowPanes(this.#host.chart, title) };
      this.#panes.drawn.set(candles, this.#cumulative);
      this.#marksChanged = true;
    } else {
      if (sumsFrom < from) this.#panes.drawn.setSums(candles, this.#cumulative);
      for (let at = from; at < candles.length; at++) this.#panes.drawn.update(candles, this.#cumulative, at);
    }
    if (!this.#marksChanged) return;
    this.#marksChanged = false;
    this.#panes.drawn.mark(this.#absorptions.of(this.#symbol), series, this.#cumulative);
  }

  figures({ candles, intervalMs }: ChartBars, at: number): readonly LegendFigure[] {
    const candle = candles[at];
    if (!this.#host.traded || !candle) return [];
    const delta = signedVolume(deltaOf(candle));
    const sum = this.#cumulative.values[at] ?? null;
    const total = sum === null ? NO_VALUE : signedVolume(sum);
    const absorbed = this.#absorptions.of(this.#symbol).findLast(({ time }) => barAt(candles, time, intervalMs) === at);
    const text = absorbed && absorptionText(absorbed, this.#host.market()?.digits ?? 2);
    return [
      { name: 'Δ', text: delta, words: `delta ${delta}` },
      { name: 'Σ Δ', text: total, words: `cumulative delta ${total}` },
      ...(absorbed && text
        ? [{ name: 'absorption', text, sign: absorbed.side === 'buy' ? 'up' : 'down', words: text } as const]
        : []),
    ];
  }

  applyTheme(): void {
    this.#removePanes();
  }

  get #shown(): boolean {
    return this.#host.traded && this.#settings.choices.delta && this.#host.height >= MIN_HEIGHT;
  }

  #startOf(series: ChartBars): SumStart {
    const { candles, intervalMs } = series;
    const { wholeHistory } = this.#host;
    const anchor = anchorOf(this.#settings.choices.anchor, intervalMs);
    if (anchor === 'view') return { anchor, opening: null, first: this.#firstVisible ?? 0 };
    if (anchor === 'bar') return { anchor, opening: null, first: this.#chosenBar(candles, intervalMs) };
    if (anchor === 'week') return { anchor, opening: this.#week.of(this.#symbol, candles, wholeHistory), first: null };
    this.#opening = steadyOpening(this.#opening, candles, this.#today, wholeHistory);
    return { anchor, opening: this.#opening?.value ?? null, first: null };
  }

  /** `null` if it is older than the loaded bars. */
  #chosenBar(candles: readonly ChartCandle[], intervalMs: number): number | null {
    const chosen = this.#settings.choices.anchorBars[this.#symbol];
    // Chosen for another instrument only.
    if (chosen === undefined) return this.#firstVisible ?? 0;
    const at = barAt(candles, chosen, intervalMs);
    if (at >= 0) return at;
    return this.#host.wholeHistory ? 0 : null;
  }

  #titleOf({ intervalMs }: ChartBars, { anchor, first }: SumStart): string {
    const chosen = this.#settings.choices.anchorBars[this.#symbol];
    if (anchor === 'day' || anchor === 'week') return sinceText(anchor, this.#cumulative.values);
    if (anchor === 'view' || chosen === undefined) return 'Cumulative delta of the visible range';
    const start = fullTimeLabel(chosen, intervalMs);
    return first === null ? `Cumulative delta: scroll back to its start, ${start}` : `Cumulative delta since ${start}`;
  }

  #removePanes(): void {
    this.#panes?.drawn.remove();
    this.#panes = null;
  }
}
