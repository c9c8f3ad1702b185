// Entry, stop and targets as lines across the chart, each with its R.
import { type IPriceLine, type ISeriesApi, LineStyle } from 'lightweight-charts';
import { setNumber } from '../../ui/format.ts';
import { currentPalette } from '../../ui/theme.ts';
import { type LevelName, type PublishLevels, ratioOf } from './publish-levels.ts';

/** Distance at which the pointer takes hold of a line. Pixels. */
const REACH = 6;
const REACH_OF_FINGER = 18;

interface Level {
  readonly name: LevelName;
  readonly price: number;
  readonly title: string;
  readonly color: string;
}

export class PublishLines {
  readonly #series: ISeriesApi<'Candlestick'>;
  #lines: readonly IPriceLine[] = [];
  #levels: readonly Level[] = [];

  constructor(series: ISeriesApi<'Candlestick'>) {
    this.#series = series;
  }

  show(levels: PublishLevels | null): void {
    this.#levels = levels ? levelsOf(levels) : [];
    for (const line of this.#lines.slice(this.#levels.length)) this.#series.removePriceLine(line);
    this.#lines = this.#levels.map(({ price, title, color }, at) => {
      const options = {
        price,
        title,
        color,
        lineWidth: 2,
        lineStyle: LineStyle.Solid,
        axisLabelVisible: true,
      } as const;
      const known = this.#lines[at];
      known?.applyOptions(options);
      return known ?? this.#series.createPriceLine(options);
    });
  }

  /** The line at a height; stop and targets before the entry, because moving the entry moves all. */
  at(y: number, byFinger: boolean): LevelName | null {
    const reach = byFinger ? REACH_OF_FINGER : REACH;
    const near = this.#levels
      .map(({ name, price }) => ({ name, away: Math.abs((this.#series.priceToCoordinate(price) ?? -1e9) - y) }))
      .filter(({ away }) => away <= reach)
      .toSorted((one, other) => one.away - other.away);
    return near[0]?.name ?? null;
  }
}

export const ratioText = (ratio: number): string => `${setNumber(ratio.toFixed(2))} R`;

function levelsOf(levels: PublishLevels): readonly Level[] {
  const { entry, stop, targets, direction } = levels;
  const { accent, down, up } = currentPalette();
  return [
    { name: 'entry', price: entry, title: direction === 'buy' ? 'Buy' : 'Sell', color: accent },
    { name: 'stop', price: stop, title: `Stop ${ratioText(-1)}`, color: down },
    ...targets.map((price, at) => ({
      name: at,
      price,
      title: `Target${targets.length > 1 ? ` ${at + 1}` : ''} ${ratioText(ratioOf(levels, price))}`,
      color: up,
    })),
  ];
}
