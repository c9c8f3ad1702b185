// What the form of an alert on an indicator starts with.
import { type IndicatorChoice, shortTitle } from './indicator-choice.ts';
import { lineName } from './indicator-style.ts';

export interface AlertOn {
  readonly interval: string;
  readonly indicator: string;
  readonly line?: string | undefined;
  /** A number, or another indicator. */
  readonly value?: string | undefined;
  readonly otherLine?: string | undefined;
}

/** By the names of the fields. */
export function alertFields({ otherLine, ...on }: AlertOn): Readonly<Record<string, string>> {
  const given = Object.entries({ type: 'indicator', how: 'cross:either', ...on, other_line: otherLine });
  return Object.fromEntries(given.filter((each): each is [string, string] => each[1] !== undefined));
}

/** The line in a condition: only indicators with several lines name it. */
export const conditionLine = ({ lines }: IndicatorChoice, line: string): string | undefined =>
  lines.length > 1 ? line : undefined;

/** `RSI 14`, `MACD 12 26 9 signal`. */
export const titleOfLine = (choice: IndicatorChoice, line: string): string =>
  [shortTitle(choice), lineName(line)].filter((each) => each !== '').join(' ');

/** The close of a bar as an indicator: the average of one close. */
export const CLOSE = 'sma(1)';
