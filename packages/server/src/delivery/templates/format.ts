// Times and numbers of messages, in the account's time zone and number format. The month is written as a word, because
// 03/04/2026 means different days in different countries.
import { DEFAULT_LOCALE, type MessageLocale } from '../channel.ts';

/** One line of a message. */
export type Fact = readonly [label: string, value: string];

/** Formatters are slow to create. */
const MAX_CACHED = 200;
const cache = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

function cached<F extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, create: () => F): F {
  let formatter = cache.get(key) as F | undefined;
  if (!formatter) {
    if (cache.size >= MAX_CACHED) cache.clear();
    formatter = create();
    cache.set(key, formatter);
  }
  return formatter;
}

/** Falls back to the default if the account's choice is not known here. */
function orDefault<F>(create: (locale: MessageLocale) => F, locale: MessageLocale): F {
  try {
    return create(locale);
  } catch {
    return create(DEFAULT_LOCALE);
  }
}

/** Such as `2 Mar 2026, 10:14:07 UTC`. `time`: ISO 8601 or epoch milliseconds. Empty if it is not a time. */
export function formatTime(time: string | number, locale: MessageLocale): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const formatter = cached(`time ${locale.timeZone}`, () =>
    orDefault(
      ({ timeZone }) =>
        new Intl.DateTimeFormat('en-GB', {
          ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone, timeZoneName: 'short' },
          ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
        }),
      locale,
    ),
  );
  return formatter.format(date).replace(/\u202f/g, ' ');
}

export interface NumberOptions {
  /** Number of decimals. Default: as many as the number has, up to 8. */
  readonly digits?: number | undefined;
  /** A plus sign for positive numbers. */
  readonly signed?: boolean;
}

export function formatNumber(
  value: number,
  locale: MessageLocale,
  { digits, signed = false }: NumberOptions = {},
): string {
  const formatter = cached(`number ${locale.numberFormat} ${digits} ${signed}`, () =>
    orDefault(
      ({ numberFormat }) =>
        new Intl.NumberFormat(numberFormat, {
          minimumFractionDigits: digits ?? 0,
          maximumFractionDigits: digits ?? 8,
          signDisplay: signed ? 'exceptZero' : 'auto',
        }),
      locale,
    ),
  );
  // Spaces that group digits are plain ones: some chats show the narrow ones as boxes.
  return formatter.format(value).replace(/[\u00a0\u202f]/g, ' ');
}
