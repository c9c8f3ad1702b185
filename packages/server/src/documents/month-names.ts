// The number of a month (1 to 12) by its name, in English and in the languages of European publishers. The names are those
// of the Unicode locale data (CLDR). A name that means different months in two languages ("listopad") is unknown.

const ENGLISH = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
];
const ENGLISH_MONTHS = new Map([
  ...ENGLISH.flatMap((name, index): [string, number][] => [
    [name, index + 1],
    [name.slice(0, 3), index + 1],
  ]),
  ['sept', 9],
]);

const LOCALES = [
  ...['de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'fi'],
  ...['pl', 'cs', 'hr', 'hu', 'ro', 'tr', 'el', 'ru', 'uk', 'bg', 'sr'],
];
/** With a day, some languages use the genitive: "март", but "2 марта". */
const STYLES: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
];

let others: ReadonlyMap<string, number> | null = null;

/** `null` for an unknown name. A full stop at the end is not part of the name. */
export function monthNumber(name: string): number | null {
  const key = name.normalize('NFC').toLowerCase();
  others ??= ENGLISH_MONTHS.has(key) ? others : loadOthers();
  return ENGLISH_MONTHS.get(key) ?? others?.get(key) ?? null;
}

/** Takes a tenth of a second, so it waits for the first name that is not English. */
function loadOthers(): Map<string, number> {
  const names = new Map<string, number>();
  const ambiguous = new Set<string>();
  for (const locale of LOCALES) {
    for (const style of STYLES) {
      const format = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month++) {
        const parts = format.formatToParts(Date.UTC(2001, month - 1, 15));
        const part = parts.find(({ type }) => type === 'month')?.value ?? '';
        const name = part.normalize('NFC').toLowerCase().replace(/\.$/, '');
        if ((names.get(name) ?? month) !== month) ambiguous.add(name);
        names.set(name, month);
      }
    }
  }
  for (const name of ambiguous) names.delete(name);
  return names;
}
