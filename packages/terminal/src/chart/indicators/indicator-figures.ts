// The values of an indicator at one bar, for its title and for screen readers.
import type { ChartCandle } from '../bars/chart-bars.ts';
import type { LegendFigure } from '../frame/chart-part.ts';
import { type IndicatorChoice, shortTitle } from './indicator-choice.ts';
import { lineColor, lineName, valueText } from './indicator-style.ts';
import type { IndicatorValues } from './indicator-values.ts';
import type { PaneFigure } from './pane-title.ts';

export interface IndicatorReading {
  /** One for each line. */
  readonly figures: readonly PaneFigure[];
  /** Why the values are missing or will change; '' otherwise. */
  readonly note: string;
}

/** `values`: `null` if there are none yet; `problem`: why there will be none, or ''. */
export function readIndicator(
  choice: IndicatorChoice,
  values: IndicatorValues | null,
  problem: string,
  candles: readonly ChartCandle[],
  at: number,
  digits: number,
): IndicatorReading {
  const pointOf = (index: number) => values?.at(candles[index]?.time ?? Number.NaN) ?? null;
  const point = pointOf(at);
  const figures = choice.lines.map((line, index) => {
    // A displaced line is drawn here, but belongs to another bar.
    const of = pointOf(at - (values?.offsets[line] ?? 0));
    const text = valueText(choice, line, of?.values[index] ?? null, digits);
    return { name: lineName(line), text, color: lineColor(choice, line) };
  });
  return { figures, note: problem !== '' ? problem : point && !point.settled ? 'not settled' : '' };
}

/** Why the pane of an indicator is empty at a bar; '' if it is not. */
export function whyEmpty(values: IndicatorValues | null, candle: ChartCandle | undefined): string {
  if (!values || values.newest === Number.NEGATIVE_INFINITY) return 'loading…';
  const point = candle && values.at(candle.time);
  return point?.values.every((value) => value === null) ? 'no value: too few bars before this one' : '';
}

const wordsOf = (choice: IndicatorChoice, { figures, note }: IndicatorReading): string => {
  const spoken = figures.map(({ name, text }) => `${name} ${text}`.trim()).join(', ');
  return `${shortTitle(choice)} ${spoken}${note === '' ? '' : `, ${note}`}`;
};

/** For screen readers: the title of the indicator shows the values. */
export const spokenFigure = (choice: IndicatorChoice, reading: IndicatorReading): LegendFigure => ({
  ...{ name: choice.id, text: '', words: wordsOf(choice, reading), wordsOnly: true },
});
