// The filter of the feed: status, instrument, publisher, direction.
import type { Instrument } from '@tickwire/client';
import { ChoiceBar } from '../ui/button.tsx';
import type { FeedFilter } from './feed-filter.ts';
import { DIRECTIONS } from './labels.ts';

const STATUSES = [
  ['active', 'Active'],
  ['closed', 'Closed'],
  ['all', 'All'],
] as const;

export interface FeedControlsProps {
  readonly filter: FeedFilter;
  readonly instruments: readonly Instrument[];
  readonly publishers: readonly string[];
  readonly onChange: (filter: FeedFilter) => void;
}

export function FeedControls({ filter, instruments, publishers, onChange }: FeedControlsProps) {
  const select = (
    name: 'symbol' | 'user' | 'direction',
    label: string,
    all: string,
    values: readonly string[],
    textOf = (value: string) => value,
  ) => {
    const wanted = filter[name];
    const known = values.find((value) => value.toLowerCase() === wanted.toLowerCase());
    // A value of the address is shown even if it is not known.
    const choices = wanted === '' || known !== undefined ? values : [...values, wanted];
    return (
      <select
        class="filter pick"
        aria-label={label}
        data-chosen={wanted !== ''}
        value={known ?? wanted}
        onChange={({ currentTarget }) => onChange({ ...filter, [name]: currentTarget.value })}
      >
        <option value="">{all}</option>
        {choices.map((value) => (
          <option key={value} value={value}>
            {textOf(value)}
          </option>
        ))}
      </select>
    );
  };
  const symbols = instruments.map(({ symbol }) => symbol);
  return (
    <div class="feed-controls">
      <ChoiceBar
        label="Status"
        choices={STATUSES}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
      />
      {select('symbol', 'Instrument', 'All instruments', symbols)}
      {select('user', 'Publisher', 'All publishers', publishers)}
      {select(
        'direction',
        'Direction',
        'Buy and sell',
        ['buy', 'sell'],
        (value) => DIRECTIONS[value as 'buy' | 'sell'],
      )}
    </div>
  );
}
