// Where the form for an alert on an indicator is: the alerts page, with the condition in the address.
import { type IndicatorChoice, shortTitle } from './indicator-choice.ts';
import { lineName } from './indicator-style.ts';

export interface AlertOn {
  readonly symbol: string;
  readonly interval: string;
  readonly indicator: string;
  readonly line?: string | undefined;
  /** A number, or another indicator. */
  readonly value?: string | undefined;
  readonly otherLine?: string | undefined;
}

export function alertAddress({ otherLine, ...on }: AlertOn): string {
  const query = new URLSearchParams({ type: 'indicator', how: 'cross:either' });
  for (const [name, value] of Object.entries({ ...on, other_line: otherLine }))
    if (value !== undefined) query.set(name, value);
  return `/alerts/new?${query}`;
}

/** The line in a condition: only indicators with several lines name it. */
export const conditionLine = ({ lines }: IndicatorChoice, line: string): string | undefined =>
  lines.length > 1 ? line : undefined;

/** `RSI 14`, `MACD 12 26 9 signal`. */
export const titleOfLine = (choice: IndicatorChoice, line: string): string =>
  [shortTitle(choice), lineName(line)].filter((each) => each !== '').join(' ');

/** The close of a bar as an indicator: the average of one close. */
export const CLOSE = 'sma(1)';
