// How times and numbers are written in the messages of an account.
import { z } from 'zod';

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
export type NumberFormatName = (typeof NUMBER_FORMATS)[number];

export const MAX_TIME_ZONE = 64;

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
  description: 'IANA name of the time zone in which messages write times',
  allowed: 'the IANA name of a time zone, such as Europe/Berlin, or UTC',
});
const numberFormat = z.enum(NUMBER_FORMATS).meta({
  description: 'Locale in whose notation messages write numbers: `de` writes 1.234,5',
  allowed: `one of ${NUMBER_FORMATS.join(', ')}`,
});

export const Preferences = z
  .object({ time_zone: timeZone, number_format: numberFormat })
  .meta({ id: 'Preferences', description: 'How messages to chats, mail and browsers write times and numbers' });
export type Preferences = z.infer<typeof Preferences>;

export const PreferencesChange = z
  .object({ time_zone: timeZone.optional(), number_format: numberFormat.optional() })
  .meta({ id: 'PreferencesChange', description: 'Preferences to change; the others stay' });
export type PreferencesChange = z.infer<typeof PreferencesChange>;

export const DEFAULT_PREFERENCES: Preferences = { time_zone: 'UTC', number_format: 'en' };
