// The order of the news, the same as the service's: newest first, and of the same time the greater id first.
import type { NewsDetail } from '@tickwire/client';

type Placed = Pick<NewsDetail, 'timestamp' | 'id'>;

export function newestFirst(one: Placed, other: Placed): number {
  if (one.timestamp !== other.timestamp) return one.timestamp < other.timestamp ? 1 : -1;
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
}

/** Puts an item into its place of a list in that order. */
export function insert(items: NewsDetail[], item: NewsDetail): void {
  let at = 0;
  while (at < items.length && newestFirst(items[at]!, item) < 0) at++;
  items.splice(at, 0, item);
}

/** Of two states of one item the later one: more revised, else of more sources. */
export const laterOf = (one: NewsDetail, other: NewsDetail): NewsDetail =>
  one.revision > other.revision || (one.revision === other.revision && one.cluster > other.cluster) ? one : other;
