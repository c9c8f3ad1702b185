// What the ingest before stored, and may have died over before it told: the last records of the signal log and the last news.
// Whoever reads the journal passes over what it was told already (cluster/told-once.ts).

import type { OpenedRecord } from '@tickwire/contract';
import type { Journal, NewsEvent } from '../journal/journal.ts';
import { Announcements } from '../signals/announcements.ts';
import { recordOf } from '../signals/records.ts';
import type { Store } from '../store/store.ts';

/** More than could be stored and not told: a transaction holds at most this many. */
const RECORDS = 1_000;
const NEWS_MS = 60_000;
const NEWS = 100;

export interface TellAgainOptions {
  readonly store: Store;
  readonly journal: Journal;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly now: () => number;
}

export async function tellAgain({ store, journal, nameOf, now }: TellAgainOptions): Promise<void> {
  const [opened] = await store.signals.log(-1, 1);
  const tail = await store.signals.tail();
  if (opened && tail && tail.n > 0) {
    const announcements = await Announcements.open({
      store: store.signals,
      ledger: { name: recordOf<OpenedRecord>(opened).log, length: tail.n + 1 },
      symbols: [],
      nameOf: (publisher) => nameOf(publisher) ?? publisher,
    });
    journal.append([...(await announcements.after(Math.max(0, tail.n - RECORDS), RECORDS))]);
  }
  const since = now() - NEWS_MS;
  const newest = (await store.news.newest(NEWS)).filter(({ seenAt }) => seenAt >= since);
  const events = newest.map(({ item }): NewsEvent => ({ kind: 'news', item, revised: item.revision > 0 }));
  journal.append(events.reverse());
}
