// What an alert on a drawing starts with: a price, the first of several to choose from, or a sloped line that goes on with the
// bars. The alert keeps what the drawing is at that moment; moving the drawing later does not move the alert.
import { TIMEFRAMES } from '@tickwire/contract/timeframes.ts';
import { plainNumber, price, setNumber } from '../../ui/format.ts';
import type { ChartCandle } from '../bars/chart-bars.ts';
import { positionOf } from '../bars/time-axis.ts';
import type { AlertOnChart } from '../frame/alert-on-chart.ts';
import { type Anchor, type Drawing, isLong, nameOf } from './drawing.ts';
import { fibonacciLevels } from './shape.ts';

/** What the chart shows. */
export interface DrawnOn {
  readonly bars: { readonly candles: readonly Pick<ChartCandle, 'time'>[]; readonly intervalMs: number } | null;
  readonly interval: string;
  /** Decimals of prices. */
  readonly digits: number;
  /** On a logarithmic scale a straight line is no straight line in prices. */
  readonly isLogarithmic: boolean;
}

export interface DrawingAlert {
  /** What it is on: `Trend line`, `Parallel channel, upper line`. */
  readonly name: string;
  readonly start: AlertOnChart;
}

type Levels = NonNullable<AlertOnChart['levels']>;

/** None for a drawing without a price. */
export function alertsOn(drawing: Drawing, on: DrawnOn): readonly DrawingAlert[] {
  const sloped = slopedLines(drawing, on);
  if (sloped.length > 0) return sloped;
  const levels = levelsOf(drawing)
    .filter((level) => level.price > 0)
    .map(({ name, price: at }) => ({
      name: `${name} (${price(at, on.digits)})`,
      price: Number(at.toFixed(on.digits)),
    }));
  const [first] = levels;
  if (!first) return [];
  return [{ name: nameOf(drawing), start: { fields: { level: first.price.toFixed(on.digits) }, levels } }];
}

function levelsOf({ kind, points }: Drawing): Levels {
  const [first = 0, second = 0, third = 0] = points.map((point) => point.price);
  switch (kind) {
    case 'horizontal':
      return [{ name: 'Horizontal line', price: first }];
    case 'rectangle':
      return [
        { name: 'Top', price: Math.max(first, second) },
        { name: 'Bottom', price: Math.min(first, second) },
      ];
    case 'fibonacci':
      return fibonacciLevels(first, second).map(({ level, price: at }) => ({
        name: setNumber(String(level)),
        price: at,
      }));
    case 'position':
      return [
        { name: isLong({ points }) ? 'Entry, long' : 'Entry, short', price: first },
        { name: 'Stop', price: second },
        { name: 'Target', price: third },
      ];
    default:
      return [];
  }
}

/** A line over bars: its price at the newest one, and its change with each. */
interface Sloped {
  readonly price: number;
  readonly perBar: number;
}

function slopedLines(drawing: Drawing, { bars, interval, digits, isLogarithmic }: DrawnOn): readonly DrawingAlert[] {
  const { kind, points } = drawing;
  const newest = bars?.candles.at(-1);
  const isKnown = (TIMEFRAMES as readonly string[]).includes(interval);
  if (!bars || !newest || !isKnown || isLogarithmic || !(kind === 'line' || kind === 'ray' || kind === 'channel'))
    return [];
  const at = (anchor: Anchor): number => positionOf(bars, anchor.time)! - (bars.candles.length - 1);
  const [from, to, third] = points as readonly [Anchor, Anchor, Anchor?];
  const base = through(from.price, at(from), to.price, at(to));
  if (!base) return [];
  const offset = third ? third.price - (base.price + base.perBar * at(third)) : 0;
  const lines: readonly (readonly [name: string, Sloped])[] = third
    ? [
        [`${nameOf(drawing)}, upper line`, { ...base, price: base.price + Math.max(0, offset) }],
        [`${nameOf(drawing)}, lower line`, { ...base, price: base.price + Math.min(0, offset) }],
      ]
    : [[nameOf(drawing), base]];
  return lines
    .filter(([, line]) => line.price > 0)
    .map(([name, line]) => ({
      name,
      start: {
        fields: {
          ...{ type: 'trend_line', cross: 'either', interval, time: new Date(newest.time).toISOString() },
          // Finer than the prices: over many bars, a rounded slope would lead elsewhere.
          price: plainNumber(Number(line.price.toFixed(digits + 2))),
          per_bar: plainNumber(Number(line.perBar.toFixed(digits + 5))),
        },
      },
    }));
}

/** `null` for a vertical line. Positions are bars from the newest one. */
function through(price: number, at: number, other: number, otherAt: number): Sloped | null {
  if (Math.abs(otherAt - at) < 1e-9) return null;
  const perBar = (other - price) / (otherAt - at);
  return { price: price - perBar * at, perBar };
}
