// Which signals the feed shows. Kept in the address, so that a view can be linked: `/signals?status=closed&symbol=EURUSD`.
import type { Signal } from '@tickwire/client';

export type FeedStatus = 'active' | 'closed' | 'all';

export interface FeedFilter {
  readonly status: FeedStatus;
  /** '' for all, here and below. */
  readonly symbol: string;
  readonly user: string;
  readonly direction: '' | 'buy' | 'sell';
}

export const NO_FILTER: FeedFilter = { status: 'active', symbol: '', user: '', direction: '' };

/** What makes no sense is left out. */
export function filterIn(search: string): FeedFilter {
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

/** With its question mark; '' where nothing is chosen. */
export function searchOf({ status, symbol, user, direction }: FeedFilter): string {
  const query = new URLSearchParams();
  if (status !== 'active') query.set('status', status);
  if (symbol !== '') query.set('symbol', symbol);
  if (user !== '') query.set('user', user);
  if (direction !== '') query.set('direction', direction);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The status is left aside: it changes while one looks. */
export function concerns({ symbol, user, direction }: FeedFilter, signal: Signal): boolean {
  if (symbol !== '' && signal.symbol !== symbol) return false;
  if (user !== '' && signal.user.toLowerCase() !== user.toLowerCase()) return false;
  return direction === '' || signal.direction === direction;
}

export const isNarrow = ({ symbol, user, direction }: FeedFilter): boolean =>
  symbol !== '' || user !== '' || direction !== '';
