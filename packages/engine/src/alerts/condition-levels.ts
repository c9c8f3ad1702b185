// The levels of conditions that look at a value of an instrument, and what their alerts share.
import type { SimpleCondition, Timeframe } from '@tickwire/contract';
import { fromTicks } from '../market/price.ts';
import type { EpochMs } from '../market/time.ts';
import type { WarmUp } from './alert.ts';
import { type SavedFormingBar, SIZE_DIGITS } from './forming-bar.ts';
import { IndicatorLines, lineOf } from './indicator-lines.ts';
import { levelTicks, moveLevel, numberLevel, tickLevel } from './levels.ts';
import type { Market } from './market.ts';
import type { SavedMoveWindow } from './move-window.ts';
import type { Level } from './threshold.ts';
import { type SavedTrendLine, TrendLine } from './trend-line.ts';
import { ValueStream } from './value-stream.ts';

/** Something that alerts share and that has to survive a restart, by its key. */
export interface Shared {
  readonly key: string;
  readonly save: () => unknown;
}

export type SavedShares = Readonly<Record<string, unknown>>;

export interface ConditionLevels {
  readonly levels: readonly Level[];
  readonly shared: readonly Shared[];
  /** Called when the alert is removed. */
  readonly release: readonly (() => void)[];
}

/** A line belongs to one alert, which has one at most: it is a moment. */
export const TREND_LINE = 'trend_line';

const NONE: ConditionLevels = { levels: [], shared: [], release: [] };

type Of<T extends SimpleCondition['type']> = Extract<SimpleCondition, { type: T }>;
type Direction = 'above' | 'below' | 'either';

const signsOf = (direction: Direction): readonly (1 | -1)[] =>
  direction === 'either' ? [1, -1] : [direction === 'above' ? 1 : -1];

const crossing = (price: number, sign: 1 | -1) =>
  ({ price, detail: { kind: 'crossing', direction: sign === 1 ? 'above' : 'below' } }) as const;

export function levelsOf(
  condition: SimpleCondition,
  market: Market,
  warmUp: WarmUp,
  saved: SavedShares,
  since: EpochMs,
): ConditionLevels {
  market.settle();
  const settle = (): void => market.settle();
  switch (condition.type) {
    case 'price':
      return { ...NONE, levels: priceLevels(condition, market) };
    case 'spread': {
      const level = levelTicks(condition.above, market.instrument.digits);
      const report = () => ({ price: market.price(market.spread.value), detail: null });
      return { ...NONE, levels: [{ ...numberLevel({ stream: market.spread, sign: 1, level, report }), settle }] };
    }
    case 'move':
      return moveLevels(condition, market, saved);
    case 'volume':
    case 'delta':
      return formingLevels(condition, market, warmUp, saved);
    case 'indicator':
      return indicatorLevels(condition, market, warmUp);
    case 'trend_line':
      return trendLineLevels(condition, market, warmUp, saved, since);
    case 'stale': {
      const age = market.clock.watchAge();
      const report = () => ({ price: null, detail: null });
      return {
        ...NONE,
        levels: [
          { ...numberLevel({ stream: age, sign: 1, level: condition.seconds * 1_000, reached: true, report }), settle },
        ],
      };
    }
    default:
      return NONE;
  }
}

function priceLevels(condition: Of<'price'>, market: Market): Level[] {
  const stream = market[condition.side];
  const level = levelTicks(condition.level, market.instrument.digits);
  const reached = condition.touch !== undefined;
  const settle = (): void => market.settle();
  return signsOf(condition.cross ?? condition.touch ?? condition.is!).map((sign) => ({
    ...tickLevel({ stream, sign, level, reached, report: () => crossing(market.price(stream.value), sign) }),
    settle,
  }));
}

function moveLevels(
  { side, minutes, direction, percent }: Of<'move'>,
  market: Market,
  saved: SavedShares,
): ConditionLevels {
  const key = `move:${side}:${minutes}`;
  const isNew = !market.moves[side]?.find(minutes);
  const window = market.openMove(side, minutes);
  if (isNew && saved[key]) window.restore(saved[key] as SavedMoveWindow);
  const directions = direction === 'either' ? (['up', 'down'] as const) : [direction];
  return {
    levels: directions.map((each) =>
      moveLevel(
        {
          stream: window[each],
          level: percent,
          report: () => ({ price: market.price(window.ticks), detail: { kind: 'move', direction: each } }),
        },
        () => window.ticks,
      ),
    ),
    shared: [{ key, save: () => market.moves.save(side, window) }],
    release: [market.share(key, () => market.moves.drop(side, minutes))],
  };
}

function formingLevels(
  condition: Of<'volume'> | Of<'delta'>,
  market: Market,
  warmUp: WarmUp,
  saved: SavedShares,
): ConditionLevels {
  const { interval } = condition;
  const key = `forming:${interval}`;
  const isNew = !market.forming.find(interval);
  const bar = market.formingBar(interval, warmUp);
  if (isNew && saved[key]) market.forming.restore(bar, saved[key] as SavedFormingBar);
  const stream = bar[condition.type];
  const below = condition.type === 'delta' ? condition.below : undefined;
  const settle = (): void => market.forming.settle();
  const level = levelTicks(below ?? condition.above!, SIZE_DIGITS);
  const report = () => ({ price: fromTicks(stream.value, SIZE_DIGITS), detail: null });
  return {
    levels: [{ ...numberLevel({ stream, sign: below === undefined ? 1 : -1, level, report }), settle }],
    shared: [{ key, save: () => market.formingBar(interval, {}).save() }],
    release: [market.share(key, () => market.forming.drop(interval))],
  };
}

function indicatorLevels(condition: Of<'indicator'>, market: Market, warmUp: WarmUp): ConditionLevels {
  const { interval } = condition;
  let lines = market.indicators.get(interval);
  if (!lines) {
    lines = new IndicatorLines(interval);
    market.indicators.set(interval, lines);
  }
  const of = lineOf(condition.indicator, condition.line)!;
  const other = condition.other === undefined ? null : lineOf(condition.other, condition.other_line)!;
  const history = warmUp.closed?.[interval] ?? [];
  const stream = lines.line(of, other, history);
  const line = other ? lines.line(of, null, history) : stream;
  const level = condition.value ?? 0;
  const shared = lines;
  const release = [of, ...(other ? [other] : [])].map(({ text }) =>
    market.share(`indicator:${interval}:${text}`, () => shared.drop(text)),
  );
  return {
    levels: signsOf(condition.cross ?? condition.is!).map((sign) =>
      numberLevel({ stream, sign, level, report: () => crossing(line.value, sign) }),
    ),
    shared: [],
    release: [...release, market.share(`indicators:${interval}`, () => market.indicators.delete(interval))],
  };
}

function trendLineLevels(
  condition: Of<'trend_line'>,
  market: Market,
  warmUp: WarmUp,
  saved: SavedShares,
  since: EpochMs,
): ConditionLevels {
  const { interval, cross } = condition;
  const lines = market.trendLines.get(interval) ?? new Set();
  const line = new TrendLine(condition, market.instrument.digits, since);
  if (saved[TREND_LINE]) line.restore(saved[TREND_LINE] as SavedTrendLine);
  else line.warmUp(warmUp.closed?.[interval] ?? []);
  market.trendLines.set(interval, lines.add(line));
  return {
    levels: signsOf(cross).map((sign) =>
      numberLevel({ stream: line.stream, sign, level: 0, report: () => crossing(line.close, sign) }),
    ),
    shared: [{ key: TREND_LINE, save: () => line.save() }],
    release: [() => lines.delete(line)],
  };
}

/** The level that a bar has to close beyond. */
export function closeLevel({ interval, close, level }: Of<'bar_close'>, market: Market): Level {
  const stream = closesOf(market, interval);
  const sign = close === 'above' ? 1 : -1;
  const report = () => ({ price: market.price(stream.value), detail: null });
  return tickLevel({ stream, sign, level: levelTicks(level, market.instrument.digits), report });
}

function closesOf({ closes }: Market, interval: Timeframe): ValueStream {
  let stream = closes.get(interval);
  if (!stream) {
    stream = new ValueStream();
    closes.set(interval, stream);
  }
  return stream;
}
