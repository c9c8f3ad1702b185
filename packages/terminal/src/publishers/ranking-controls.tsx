// The filter and the order of the list of publishers.
import type { Instrument } from '@tickwire/client';
import { FilterSelect } from '../ui/filter-select.tsx';
import {
  MAX_DRAWDOWNS,
  MIN_DECISIONS,
  orderOf,
  PERIODS,
  type PublisherFilter,
  SORTS,
  STATUSES,
} from './publisher-filter.ts';

interface Props {
  readonly filter: PublisherFilter;
  readonly instruments: readonly Instrument[];
  readonly onChange: (filter: PublisherFilter) => void;
}

export function RankingControls({ filter, instruments, onChange }: Props) {
  const select = (
    name: Exclude<keyof PublisherFilter, 'sort' | 'order'>,
    label: string,
    all: string,
    values: readonly string[],
    textOf = (value: string) => value,
  ) => (
    <FilterSelect
      {...{ label, all, values, textOf }}
      value={filter[name]}
      onChange={(value) => onChange({ ...filter, [name]: value })}
    />
  );
  const order = orderOf(filter);
  return (
    <div class="feed-controls line">
      {select('status', 'Status', 'Any status', STATUSES)}
      {select(
        'symbol',
        'Instrument',
        'All instruments',
        instruments.map(({ symbol }) => symbol),
      )}
      {select('period', 'Period', 'Whole record', PERIODS, (days) => `Last ${days} days`)}
      {select('min_decisions', 'Minimum decisions', 'Any decisions', MIN_DECISIONS, (n) => `At least ${n} decisions`)}
      {select('max_drawdown', 'Maximum drawdown', 'Any drawdown', MAX_DRAWDOWNS, (r) => `Drawdown up to ${r} R`)}
      {/* Not every order has a column, and a phone shows no column heads. */}
      <span class="sort-by line">
        <select
          class="filter pick"
          aria-label="Sort by"
          value={filter.sort}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...filter, sort: value as PublisherFilter['sort'], order: '' })
          }
        >
          {SORTS.map(([sort, text]) => (
            <option key={sort} value={sort}>
              {`Sort: ${text}`}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="plain"
          aria-label={`Order: ${order === 'asc' ? 'ascending' : 'descending'}`}
          onClick={() => onChange({ ...filter, order: order === 'asc' ? 'desc' : 'asc' })}
        >
          {order === 'asc' ? '▴' : '▾'}
        </button>
      </span>
    </div>
  );
}
