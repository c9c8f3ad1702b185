// Shades the trading sessions behind the bars, each with its name over the volume at the lower edge, above the attribution of the
// chart library.
import { DAY_MS, HOUR_MS } from '@tickwire/contract/durations.ts';
import { currentPalette, faint } from '../ui/theme.ts';
import { timeAt } from './bars/time-axis.ts';
import type { ChartHost } from './frame/chart-part.ts';
import { PaneLayer, type PaneTarget } from './layers/pane-layer.ts';
import { sessionsBetween } from './layers/trading-sessions.ts';

/** Longer bars belong to several sessions. */
const LONGEST_BAR_MS = HOUR_MS;
/** Of a longer range, the stripes would be too narrow. */
const LONGEST_RANGE_MS = 21 * DAY_MS;
const ALPHA = '12';
const PADDING = 4;
const LINE_PX = 13;

export class SessionLayer extends PaneLayer {
  readonly #chart: Pick<ChartHost, 'bars' | 'xOf' | 'prices'>;

  constructor(host: Pick<ChartHost, 'bars' | 'xOf' | 'prices'>) {
    super({ bottom: (target) => this.#shade(target), top: (target) => this.#name(target) });
    this.#chart = host;
    host.prices.attachPrimitive(this);
  }

  remove(): void {
    this.#chart.prices.detachPrimitive(this);
  }

  #shade(target: PaneTarget): void {
    target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
      for (const { color, left, right } of this.#stripes(width)) {
        context.fillStyle = faint(color, ALPHA);
        context.fillRect(left, 0, right - left, height);
      }
    });
  }

  #name(target: PaneTarget): void {
    target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
      context.font = currentPalette().font;
      context.textAlign = 'left';
      context.textBaseline = 'bottom';
      const lowest = height - PADDING - (this.#isLowestPane ? LINE_PX : 0);
      let [labelEnd, line] = [0, 0];
      for (const { name, color, left, right } of this.#stripes(width)) {
        const end = left + context.measureText(name).width + 2 * PADDING;
        if (end > right) continue;
        // Sessions overlap: at the left edge, two may begin at the same place.
        line = left < labelEnd ? line + 1 : 0;
        labelEnd = end;
        context.fillStyle = color;
        context.fillText(name, left + PADDING, lowest - line * LINE_PX);
      }
    });
  }

  #stripes(width: number): readonly { name: string; color: string; left: number; right: number }[] {
    const bars = this.#chart.bars();
    const seen = this.host?.chart.timeScale().getVisibleLogicalRange();
    if (!bars || !seen || bars.intervalMs > LONGEST_BAR_MS) return [];
    const [from, to] = [timeAt(bars, seen.from), timeAt(bars, seen.to)];
    if (from === null || to === null || to - from > LONGEST_RANGE_MS) return [];
    const sessions = sessionsBetween(from, to).toSorted((one, other) => one.from - other.from);
    return sessions.flatMap(({ name, color, ...session }) => {
      const [start, until] = [this.#chart.xOf(session.from), this.#chart.xOf(session.to)];
      if (start === null || until === null) return [];
      return [{ name, color, left: Math.max(0, start), right: Math.min(width, until) }];
    });
  }

  /** The attribution is over the lowest pane. A pane that was maximised leaves little of the others. */
  get #isLowestPane(): boolean {
    const below = this.host?.chart.panes().slice(1) ?? [];
    return below.every((pane) => pane.getHeight() < LINE_PX);
  }
}
