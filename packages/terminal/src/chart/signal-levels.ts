// Entry, stop and target of signals as horizontal lines, with their names at the left edge.
import { type IPriceLine, LineStyle } from 'lightweight-charts';
import { currentPalette } from '../ui/theme.ts';
import type { ChartSignal } from './bars/bar-marks.ts';
import type { ChartHost } from './frame/chart-part.ts';
import type { LevelLabel } from './layers/level-labels.ts';

/** Lines of more signals would hide the market. */
const MAX_SIGNALS = 3;
const MAX_NAME_LENGTH = 16;
const OWNER = 'signals';

const short = (name: string): string =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;

interface Level extends LevelLabel {
  readonly style: LineStyle;
}

export class SignalLevels {
  readonly #host: ChartHost;
  #lines: IPriceLine[] = [];

  constructor(host: ChartHost) {
    this.#host = host;
  }

  /** Newest first. */
  show(signals: readonly ChartSignal[]): void {
    for (const line of this.#lines) this.#host.prices.removePriceLine(line);
    const levels = signals.slice(0, MAX_SIGNALS).flatMap(levelsOf);
    // Names belong to the left edge: the library would write them over the newest bars.
    this.#lines = levels.map(({ price, color, style: lineStyle }) =>
      this.#host.prices.createPriceLine({ price, color, lineStyle, lineWidth: 1, axisLabelVisible: true, title: '' }),
    );
    this.#host.labels.set(OWNER, levels);
  }
}

function levelsOf({ user, direction, entry, stop_loss, take_profit }: ChartSignal): readonly Level[] {
  const { up, down, accent } = currentPalette();
  const isBuy = direction === 'buy';
  const text = `${isBuy ? '▲ Buy' : '▼ Sell'} · ${short(user)}`;
  return [
    { price: entry, color: isBuy ? up : down, style: LineStyle.Solid, text },
    { price: stop_loss, color: down, style: LineStyle.Dashed, text: 'Stop' },
    { price: take_profit, color: accent, style: LineStyle.Dashed, text: 'Target' },
  ];
}
