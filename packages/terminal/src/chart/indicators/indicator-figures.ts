// The values of an indicator at one bar, for the legend, the title of its pane and screen readers.
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

const wordsOf = (choice: IndicatorChoice, { figures, note }: IndicatorReading): string => {
  const spoken = figures.map(({ name, text }) => `${name} ${text}`.trim()).join(', ');
  return `${shortTitle(choice)} ${spoken}${note === '' ? '' : `, ${note}`}`;
};

/** Of an indicator in a separate pane, whose title shows the values. */
export const spokenFigure = (choice: IndicatorChoice, reading: IndicatorReading): LegendFigure => ({
  ...{ name: choice.id, text: '', words: wordsOf(choice, reading), wordsOnly: true },
});

/** Of an indicator over the prices. */
export function legendFigures(choice: IndicatorChoice, reading: IndicatorReading): readonly LegendFigure[] {
  const { figures, note } = reading;
  const last = figures.length - 1;
  return figures.map(({ name, text, color }, index) => ({
    name: `${choice.id} ${name}`,
    label: index === 0 ? [shortTitle(choice), name].filter((each) => each !== '').join(' ') : name,
    text: index === last && note !== '' ? `${text} (${note})` : text,
    sign: 'none',
    color,
    ...(index === 0 && { words: wordsOf(choice, reading) }),
  }));
}
