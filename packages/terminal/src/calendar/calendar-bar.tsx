// The filters of the calendar: week, impacts, country, instrument.

import type { Instrument } from '@tickwire/client';
import { WEEK_MS } from '@tickwire/contract/durations.ts';
import { Button, Toggle } from '../ui/button.tsx';
import { FilterSelect } from '../ui/filter-select.tsx';
import { zoned } from '../ui/relative-time.ts';
import { type CalendarFilter, IMPACTS, toggleImpact, WHOLE_CALENDAR } from './calendar-filter.ts';

/** Countries whose releases move markets most; others are named in the address. */
const COUNTRIES = ['US', 'EU', 'GB', 'JP', 'CH', 'CA', 'AU', 'NZ', 'CN', 'DE', 'FR', 'IT', 'ES'];
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
  const narrow = impacts.length > 0 || country !== null || symbol !== null || week !== 0;
  return (
    <div class="news-filters line">
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
      <FilterSelect
        label="Country"
        all="All countries"
        class="news-select"
        values={COUNTRIES}
        value={country ?? ''}
        onChange={(chosen) => change({ country: chosen || null })}
      />
      <FilterSelect
        label="Instrument"
        all="All instruments"
        class="news-select"
        values={instruments.map((each) => each.symbol)}
        value={symbol ?? ''}
        onChange={(chosen) => change({ symbol: chosen || null })}
      />
      {narrow && (
        <Button tone="linklike" onClick={() => onChange(WHOLE_CALENDAR)}>
          Clear
        </Button>
      )}
    </div>
  );
}
