// Which signals the feed shows. The filter is in the address, so a view can be linked: `/signals?status=closed&symbol=EURUSD`.
import type { Signal } from '@tickwire/client';

export interface FeedFilter {
  readonly status: 'active' | 'closed' | 'all';
  /** '' for all, here and below. */
  readonly symbol: string;
  readonly user: string;
  readonly direction: '' | 'buy' | 'sell';
}

export const NO_FILTER: FeedFilter = { status: 'active', symbol: '', user: '', direction: '' };

/** Invalid values are ignored. */
export function parseFilter(search: string): FeedFilter {
  const query = new URLSearchParams(search);
  const status = query.get('status');
  const direction = query.get('direction');
  return {
    status: status === 'closed' || status === 'all' ? status : 'active',
    symbol: (query.get('symbol') ?? '').toUpperCase(),
    user: query.get('user') ?? '',
    direction: direction === 'buy' || direction === 'sell' ? direction : '',
  };
}

/** With the question mark; '' for the default filter. */
export function searchOf(filter: FeedFilter): string {
  const names = ['status', 'symbol', 'user', 'direction'] as const;
  const chosen = names.filter((name) => filter[name] !== NO_FILTER[name]);
  return chosen.length === 0 ? '' : `?${new URLSearchParams(chosen.map((name) => [name, filter[name]]))}`;
}

/** Ignores the status, which changes while the feed is open. */
export function matches({ symbol, user, direction }: FeedFilter, signal: Signal): boolean {
  return (
    (symbol === '' || signal.symbol === symbol) &&
    (user === '' || signal.user.toLowerCase() === user.toLowerCase()) &&
    (direction === '' || signal.direction === direction)
  );
}

export const isNarrowed = ({ symbol, user, direction }: FeedFilter): boolean => symbol + user + direction !== '';
