// The levels of active alerts as horizontal lines, which can be moved.
import { type IPriceLine, type ISeriesApi, LineStyle } from 'lightweight-charts';
import { currentPalette } from '../../ui/theme.ts';
import type { LevelLabels } from './level-labels.ts';

/** An alert as the chart needs it. */
export interface ChartAlert {
  readonly id: string;
  readonly price: number;
  /** At the left end of the line, short. */
  readonly title: string;
}

/** Lines of more alerts would hide the market. */
const MAX_LINES = 20;
/** Distance at which the pointer takes hold of a line. Pixels. */
const REACH = 6;
const REACH_OF_FINGER = 16;

interface Line {
  readonly line: IPriceLine;
  price: number;
  title: string;
}

const OWNER = 'alerts';

export class AlertLines {
  readonly #series: ISeriesApi<'Candlestick'>;
  readonly #labels: Pick<LevelLabels, 'set'>;
  readonly #lines = new Map<string, Line>();
  #held: string | null = null;

  constructor(series: ISeriesApi<'Candlestick'>, labels: Pick<LevelLabels, 'set'>) {
    this.#series = series;
    this.#labels = labels;
  }

  show(alerts: readonly ChartAlert[]): void {
    const { notice: color } = currentPalette();
    const shown = alerts.slice(0, MAX_LINES);
    for (const [id, { line }] of this.#lines)
      if (!shown.some((alert) => alert.id === id)) {
        this.#series.removePriceLine(line);
        this.#lines.delete(id);
      }
    for (const { id, price, title } of shown) {
      const options = {
        price,
        title: '',
        color,
        lineStyle: LineStyle.LargeDashed,
        lineWidth: 1,
        axisLabelVisible: true,
      } as const;
      const known = this.#lines.get(id);
      if (!known) this.#lines.set(id, { line: this.#series.createPriceLine(options), price, title });
      // The one that is being dragged stays under the pointer.
      else if (id !== this.#held) {
        known.line.applyOptions(options);
        known.price = price;
        known.title = title;
      }
    }
    this.#showTitles();
  }

  /** The alert whose line is at this height; `null` if there is none. */
  at(y: number, byFinger = false): string | null {
    let nearest: string | null = null;
    let least: number = byFinger ? REACH_OF_FINGER : REACH;
    for (const [id, { price }] of this.#lines) {
      const line = this.#series.priceToCoordinate(price);
      const distance = line === null ? Number.POSITIVE_INFINITY : Math.abs(line - y);
      if (distance > least) continue;
      least = distance;
      nearest = id;
    }
    return nearest;
  }

  priceOf(id: string): number | null {
    return this.#lines.get(id)?.price ?? null;
  }

  /** Moves a line while it is dragged. */
  move(id: string, price: number): void {
    const line = this.#lines.get(id);
    if (!line) return;
    this.#held = id;
    line.price = price;
    line.line.applyOptions({ price });
    this.#showTitles();
  }

  /** The line is let go, and follows its alert again. */
  release(): void {
    this.#held = null;
  }

  #showTitles(): void {
    const { notice: color } = currentPalette();
    this.#labels.set(
      OWNER,
      [...this.#lines.values()].map(({ price, title: text }) => ({ price, text, color })),
    );
  }
}
