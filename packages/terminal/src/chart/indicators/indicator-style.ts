// How each indicator is drawn: colours, guides, decimals, and lines that are not plain ones.
import type { PriceFormatCustom } from 'lightweight-charts';
import { NO_VALUE, price, setNumber, volume } from '../../ui/format.ts';
import { currentPalette, faint } from '../../ui/theme.ts';
import { LINE_COLORS } from '../layers/line-colors.ts';
import { priceFormat, VOLUME_FORMAT } from '../layers/plot-options.ts';
import type { IndicatorChoice } from './indicator-choice.ts';

/** `hidden`: has no place on the scale of the others; the legend shows it. */
export type LineKind = 'line' | 'histogram' | 'dots' | 'steps' | 'hidden';

type Named = Pick<IndicatorChoice, 'name'>;

export function lineKind({ name }: Named, line: string): LineKind {
  if (line === 'histogram') return 'histogram';
  if (name === 'psar') return 'dots';
  if (name === 'pivots') return 'steps';
  if ((name === 'supertrend' && line === 'direction') || (name === 'linreg' && line === 'slope')) return 'hidden';
  return 'line';
}

/** The colour of a line, as `#rrggbb`. */
export function lineColor({ name, lines, slot, colors }: IndicatorChoice, line: string): string {
  const { notice, accent, muted, up, down } = currentPalette();
  const own = colors[line];
  if (own !== undefined) return own;
  if (name === 'pivots' && line !== 'pivot') return line.startsWith('r') ? down : up;
  if (name === 'ichimoku' && line.startsWith('leading')) return line === 'leading_a' ? up : down;
  if (line === 'histogram') return muted;
  if (line === 'plus_di') return up;
  if (line === 'minus_di') return down;
  // Bands have one colour.
  const at = lines.includes('upper') ? 0 : lines.indexOf(line);
  const all = [notice, accent, ...Object.values(LINE_COLORS)];
  return all[(slot + at) % all.length] ?? accent;
}

/** Supertrend has the colour of its direction, unless one was chosen. */
export function pointColor(choice: IndicatorChoice, line: string, values: readonly (number | null)[]): string {
  const { up, down } = currentPalette();
  if (choice.name === 'supertrend' && choice.colors[line] === undefined)
    return (values[choice.lines.indexOf('direction')] ?? 1) > 0 ? up : down;
  if (line === 'histogram' && choice.colors[line] === undefined)
    return (values[choice.lines.indexOf(line)] ?? 0) >= 0 ? up : down;
  return lineColor(choice, line);
}

/** The colour of values that a longer history would change. */
export const unsettled = (color: string): string => faint(color, '55');

const GUIDES: Readonly<Record<string, readonly number[]>> = {
  rsi: [30, 70],
  mfi: [20, 80],
  stochastic: [20, 80],
  williams: [-80, -20],
  cci: [-100, 100],
  roc: [0],
  macd: [0],
};

/** Levels that readers of an indicator compare it with. */
export const guidesOf = ({ name }: Named): readonly number[] => GUIDES[name] ?? [];

/** In units of the price, but far smaller. */
const LIKE_PRICES: ReadonlySet<string> = new Set(['macd', 'atr', 'stddev']);
const LIKE_VOLUMES: ReadonlySet<string> = new Set(['obv', 'cvd']);

/** Of an indicator in a separate pane. `digits`: decimals of the instrument's prices. */
export function formatOf({ name }: Named, digits: number): PriceFormatCustom {
  if (LIKE_VOLUMES.has(name)) return VOLUME_FORMAT;
  return priceFormat(LIKE_PRICES.has(name) ? digits + 1 : 2);
}

/** A value for the legend. */
export function valueText(choice: IndicatorChoice, line: string, value: number | null, digits: number): string {
  if (value === null) return NO_VALUE;
  if (choice.name === 'supertrend' && line === 'direction') return value > 0 ? 'up' : 'down';
  if (line === 'slope') return setNumber(value.toPrecision(4));
  if (LIKE_VOLUMES.has(choice.name)) return `${value < 0 ? '−' : ''}${volume(value)}`;
  return price(value, LIKE_PRICES.has(choice.name) ? digits + 1 : choice.pane === 'price' ? digits : 2);
}

/** A height of the pane as the level of an alert. */
export function roundLevel({ name }: Named, value: number, digits: number): number {
  return Number(value.toFixed(LIKE_VOLUMES.has(name) ? 0 : LIKE_PRICES.has(name) ? digits + 1 : 1));
}

const LINE_NAMES: Readonly<Record<string, string>> = {
  plus_di: '+DI',
  minus_di: '−DI',
  leading_a: 'leading A',
  leading_b: 'leading B',
  adx: 'ADX',
  macd: 'MACD',
};

/** Name of a line for people; '' for the only one. */
export const lineName = (line: string): string =>
  line === 'value' ? '' : (LINE_NAMES[line] ?? (/^[rsp]\d?$|^[kd]$/.test(line) ? line.toUpperCase() : line));
