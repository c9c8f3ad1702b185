// Checks of `tickwire doctor` on trading calendars: without holidays, a market counts as open on them.
import { iso } from '@tickwire/contract';
import { DAY_MS, type HolidayFile, holidaysOf, type InstrumentSpec } from '@tickwire/engine';

/** Holidays are expected to be known for this time. */
const AHEAD_MS = 90 * DAY_MS;

export function checkCalendars(
  instruments: readonly Pick<InstrumentSpec, 'hours'>[],
  now: number,
  found: (part: string, state: 'ok' | 'warn', what: string) => void,
): void {
  const files = [...new Set(instruments.map(({ hours }) => holidaysOf(hours)))].filter((file) => file !== null);
  const soon = iso(now + AHEAD_MS);
  const endsSoon = ({ until }: HolidayFile): boolean => until < soon;
  for (const { name, until } of files.filter(endsSoon))
    found(
      'calendars',
      'warn',
      `the holidays of ${name} are known until ${until} only; on later ones its markets count as open: update Tickwire`,
    );
  if (files.length === 0 || files.some(endsSoon)) return;
  const [first] = files.map(({ until }) => until).sort();
  found('calendars', 'ok', `holidays of ${files.length} markets are known until ${first}`);
}
