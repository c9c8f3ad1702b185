// The filter of the feed: status, instrument, publisher, direction.
import type { Instrument } from '@tickwire/client';
import { ChoiceBar } from '../ui/button.tsx';
import { FilterSelect } from '../ui/filter-select.tsx';
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
  const of = (name: 'symbol' | 'user' | 'direction') => ({
    value: filter[name],
    onChange: (value: string) => onChange({ ...filter, [name]: value }),
  });
  const symbols = instruments.map(({ symbol }) => symbol);
  return (
    <div class="feed-controls line">
      <ChoiceBar
        label="Status"
        choices={STATUSES}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
      />
      <FilterSelect label="Instrument" all="All instruments" values={symbols} {...of('symbol')} />
      <FilterSelect label="Publisher" all="All publishers" values={publishers} {...of('user')} />
      <FilterSelect
        label="Direction"
        all="Buy and sell"
        values={['buy', 'sell']}
        textOf={(value) => DIRECTIONS[value as 'buy' | 'sell']}
        {...of('direction')}
      />
    </div>
  );
}
