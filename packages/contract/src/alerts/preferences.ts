// How times and numbers are written in the messages of an account.
import { z } from 'zod';
import { choice, namedObject } from '../common/values.ts';

/** Locales whose notations of numbers an account can choose from. */
export const NUMBER_FORMATS = [
  'en',
  'en-GB',
  'en-IN',
  'de',
  'de-CH',
  'es',
  'fr',
  'it',
  'ja',
  'nl',
  'pl',
  'pt-BR',
  'sv',
] as const;

const MAX_TIME_ZONE = 64;

/** Whether the runtime knows a time zone. Offsets such as `+01:00` are no zones: they have no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > MAX_TIME_ZONE) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const timeZone = z.string().max(MAX_TIME_ZONE).refine(isTimeZone).meta({
  description: 'Time zone of times in messages (IANA)',
  allowed: 'the IANA name of a time zone, such as Europe/Berlin, or UTC',
});
const numberFormat = choice(NUMBER_FORMATS, 'Locale of numbers in messages');

export const Preferences = namedObject('Preferences', 'Notation of times and numbers in messages', () => ({
  time_zone: timeZone,
  number_format: numberFormat,
}));
export type Preferences = z.infer<typeof Preferences>;

export const PreferencesChange = namedObject('PreferencesChange', 'Preferences to change; the others stay', () => ({
  time_zone: timeZone.optional(),
  number_format: numberFormat.optional(),
}));
export type PreferencesChange = z.infer<typeof PreferencesChange>;

export const DEFAULT_PREFERENCES: Preferences = { time_zone: 'UTC', number_format: 'en' };
