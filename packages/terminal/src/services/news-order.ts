// The order of headlines, the same as the service's: newest first; at the same time, the greater id first.
import type { NewsDetail } from '@tickwire/client';

type Placed = Pick<NewsDetail, 'timestamp' | 'id'>;

export function newestNewsFirst(one: Placed, other: Placed): number {
  if (one.timestamp !== other.timestamp) return one.timestamp < other.timestamp ? 1 : -1;
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
}

/** Inserts an item at its place. */
export function insert(items: NewsDetail[], item: NewsDetail): void {
  let at = 0;
  while (at < items.length && newestNewsFirst(items[at]!, item) < 0) at++;
  items.splice(at, 0, item);
}

/** Replaces an item by its later version; false if the list does not contain it. */
export function replace(items: NewsDetail[], item: NewsDetail): boolean {
  const at = items.findIndex(({ id }) => id === item.id);
  if (at < 0) return false;
  items[at] = laterOf(items[at]!, item);
  return true;
}

export function upsert(items: NewsDetail[], item: NewsDetail): void {
  if (!replace(items, item)) insert(items, item);
}

/** The later of two versions of a headline: the higher revision, then the larger number of sources. */
const laterOf = (one: NewsDetail, other: NewsDetail): NewsDetail =>
  one.revision > other.revision || (one.revision === other.revision && one.cluster > other.cluster) ? one : other;
