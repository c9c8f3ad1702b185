// Which publishers the list shows, and in which order. The filter is in the address, so a view can be linked:
// `/publishers?status=ranked&period=90&sort=total_r`.
import type { PublisherListOptions } from '@tickwire/client';

type Sort = NonNullable<PublisherListOptions['sort']>;
type Status = NonNullable<PublisherListOptions['status']>[number];

export interface PublisherFilter {
  /** '' for all, here and below. */
  readonly symbol: string;
  readonly period: '' | '30' | '90' | '365';
  readonly min_decisions: string;
  readonly max_drawdown: string;
  readonly status: '' | Status;
  readonly sort: Sort;
  /** '' for the usual order of the field: the best first. */
  readonly order: '' | 'asc' | 'desc';
}

/** Options of the list, without the page. */
export type FilterOptions = Omit<PublisherListOptions, 'limit' | 'offset'>;

export const STATUSES: readonly Status[] = ['ranked', 'unproven', 'losing', 'inactive'];
export const PERIODS = ['30', '90', '365'] as const;
export const MIN_DECISIONS = ['10', '30', '100', '300'] as const;
/** In R. */
export const MAX_DRAWDOWNS = ['5', '10', '20', '50'] as const;
export const SORTS: readonly (readonly [Sort, string])[] = [
  ['rank', 'Rank and evidence'],
  ['decisions', 'Decisions'],
  ['total_r', 'Total R'],
  ['average_r', 'R per signal'],
  ['win_rate', 'Win rate'],
  ['profit_factor', 'Profit factor'],
  ['max_drawdown_r', 'Max drawdown'],
  ['drawdown_r', 'Drawdown now'],
  ['open_r', 'Open R'],
  ['signals', 'Signals'],
  ['last_at', 'Last signal'],
  ['name', 'Name'],
];

export const NO_FILTER: PublisherFilter = {
  symbol: '',
  period: '',
  min_decisions: '',
  max_drawdown: '',
  status: '',
  sort: 'rank',
  order: '',
};

const oneOf = <T extends string>(value: string | null, allowed: readonly T[]): T | undefined =>
  allowed.find((each) => each === value);
const digits = (value: string | null): string => (/^\d{1,6}$/.test(value ?? '') ? value! : '');

/** Invalid values are ignored. */
export function parseFilter(search: string): PublisherFilter {
  const query = new URLSearchParams(search);
  return {
    symbol: (query.get('symbol') ?? '').toUpperCase().slice(0, 32),
    period: oneOf(query.get('period'), PERIODS) ?? '',
    min_decisions: digits(query.get('min_decisions')),
    max_drawdown: digits(query.get('max_drawdown')),
    status: oneOf(query.get('status'), STATUSES) ?? '',
    sort:
      oneOf(
        query.get('sort'),
        SORTS.map(([sort]) => sort),
      ) ?? 'rank',
    order: oneOf(query.get('order'), ['asc', 'desc'] as const) ?? '',
  };
}

/** With the question mark; '' for the default filter. */
export function searchOf(filter: PublisherFilter): string {
  const chosen = Object.entries(filter).filter(([name, value]) => value !== NO_FILTER[name as keyof PublisherFilter]);
  return chosen.length === 0 ? '' : `?${new URLSearchParams(chosen)}`;
}

export function optionsOf({ symbol, period, min_decisions, max_drawdown, status, sort, order }: PublisherFilter) {
  const options: FilterOptions = {
    sort,
    ...(symbol !== '' && { symbol }),
    ...(period !== '' && { period: Number(period) as 30 | 90 | 365 }),
    ...(min_decisions !== '' && { min_decisions: Number(min_decisions) }),
    ...(max_drawdown !== '' && { max_drawdown: Number(max_drawdown) }),
    ...(status !== '' && { status: [status] }),
    ...(order !== '' && { order }),
  };
  return options;
}

const ASCENDING: readonly Sort[] = ['rank', 'name', 'max_drawdown_r', 'drawdown_r'];

/** The order in force. */
export const orderOf = ({ sort, order }: PublisherFilter): 'asc' | 'desc' =>
  order || (ASCENDING.includes(sort) ? 'asc' : 'desc');

/** After a click on the head of a column: its usual order first, then the opposite. */
export function sortedBy(filter: PublisherFilter, sort: Sort): PublisherFilter {
  if (filter.sort !== sort) return { ...filter, sort, order: '' };
  return { ...filter, order: orderOf(filter) === 'asc' ? 'desc' : 'asc' };
}

/** Whether some publishers may be left out. */
export const isNarrowed = ({ symbol, min_decisions, max_drawdown, status }: PublisherFilter): boolean =>
  symbol + min_decisions + max_drawdown + status !== '';
