// The filters of the calendar: week, impacts, country, instrument.
import type { Instrument } from '@tickwire/client';
import { Button, Toggle } from '../ui/button.tsx';
import { zoned } from '../ui/relative-time.ts';
import { type CalendarFilter, IMPACTS, toggleImpact, WHOLE_CALENDAR } from './calendar-filter.ts';

/** Countries whose releases move markets most; others are named in the address. */
const COUNTRIES = ['US', 'EU', 'GB', 'JP', 'CH', 'CA', 'AU', 'NZ', 'CN', 'DE', 'FR', 'IT', 'ES'];
const WEEK_MS = 7 * 86_400_000;
const shortDate = zoned({ day: 'numeric', month: 'short' });

interface Props {
  readonly instruments: readonly Instrument[];
  readonly filter: CalendarFilter;
  readonly onChange: (filter: CalendarFilter) => void;
}

function weekText(week: number): string {
  const from = new Date().setHours(0, 0, 0, 0) + week * WEEK_MS;
  return `${shortDate(from)} – ${shortDate(from + WEEK_MS - 1)}`;
}

export function CalendarBar({ instruments, filter, onChange }: Props) {
  const { impacts, country, symbol, week } = filter;
  const change = (changes: Partial<CalendarFilter>): void => onChange({ ...filter, ...changes });
  const countries = country === null || COUNTRIES.includes(country) ? COUNTRIES : [...COUNTRIES, country];
  const symbols = instruments.map((each) => each.symbol);
  if (symbol !== null && !symbols.includes(symbol)) symbols.push(symbol);
  const narrow = impacts.length > 0 || country !== null || symbol !== null || week !== 0;
  return (
    <div class="news-filters">
      <fieldset class="timeframes" aria-label="Week">
        <button type="button" class="timeframe" aria-label="Earlier" onClick={() => change({ week: week - 1 })}>
          ‹
        </button>
        <span class="calendar-week">{weekText(week)}</span>
        <button type="button" class="timeframe" aria-label="Later" onClick={() => change({ week: week + 1 })}>
          ›
        </button>
      </fieldset>
      <fieldset class="timeframes" aria-label="Impact">
        {IMPACTS.map((impact) => (
          <Toggle
            key={impact}
            pressed={impacts.includes(impact)}
            onClick={() => change({ impacts: toggleImpact(filter, impact) })}
          >
            <span class="impact" data-impact={impact}>
              {impact}
            </span>
          </Toggle>
        ))}
      </fieldset>
      <select
        class="filter news-select"
        aria-label="Country"
        value={country ?? ''}
        onChange={({ currentTarget }) => change({ country: currentTarget.value || null })}
      >
        <option value="">All countries</option>
        {countries.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <select
        class="filter news-select"
        aria-label="Instrument"
        value={symbol ?? ''}
        onChange={({ currentTarget }) => change({ symbol: currentTarget.value || null })}
      >
        <option value="">All instruments</option>
        {symbols.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      {narrow && (
        <Button tone="linklike" onClick={() => onChange(WHOLE_CALENDAR)}>
          Clear
        </Button>
      )}
    </div>
  );
}
