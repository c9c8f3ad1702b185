// Finds values of a release in its description, where a source writes them on separate lines: "Forecast: 2.1%".
import { MAX_EVENT_VALUE } from '@tickwire/contract';
import type { RawCalendarEvent } from '../raw-event.ts';

const NAMES = {
  actual: 'actual',
  released: 'actual',
  forecast: 'forecast',
  consensus: 'forecast',
  expected: 'forecast',
  previous: 'previous',
  prior: 'previous',
} as const;
const LINE = /^\s*(actual|released|forecast|consensus|expected|previous|prior)\s*[:=]\s*(\S.*?)\s*$/i;
/** A value has a digit, and no sentence. */
const VALUE = new RegExp(`^(?=.*\\d).{1,${MAX_EVENT_VALUE}}$`);

export type StatedValues = Pick<RawCalendarEvent, 'actual' | 'forecast' | 'previous'>;

export function statedValues(description: string | null | undefined): StatedValues {
  const values: { -readonly [K in keyof StatedValues]: StatedValues[K] } = {};
  for (const line of (description ?? '').slice(0, 10_000).split(/\r\n|\n|\r|<br\s*\/?>|\s\|\s/i)) {
    const [, name, value] = LINE.exec(line) ?? [];
    if (name && value && VALUE.test(value)) values[NAMES[name.toLowerCase() as keyof typeof NAMES]] ??= value;
  }
  return values;
}
