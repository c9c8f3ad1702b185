// Publishes again what the previous ingest node stored but may not have published before it died: the last records of the
// signal log and the last news. Readers of the journal skip duplicates (cluster/journal/deduplicator.ts).

import type { OpenedRecord } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import type { Journal, NewsEvent } from '../journal/journal.ts';
import { parseRecord } from '../signals/log-records.ts';
import { SignalEvents } from '../signals/signal-events.ts';
import type { Store } from '../store/store.ts';

/** A transaction holds at most this many records, so no more can be stored but unpublished. */
const RECORDS = 1_000;
const NEWS_MS = MINUTE_MS;
const NEWS = 100;

export interface RepublishTailOptions {
  readonly store: Store;
  readonly journal: Journal;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly now: () => number;
}

export async function republishTail({ store, journal, nameOf, now }: RepublishTailOptions): Promise<void> {
  const [opened] = await store.signals.log(-1, 1);
  const tail = await store.signals.tail();
  if (opened && tail && tail.n > 0) {
    const signalEvents = await SignalEvents.open({
      store: store.signals,
      ledger: { name: parseRecord<OpenedRecord>(opened).log, length: tail.n + 1 },
      symbols: [],
      nameOf: (publisher) => nameOf(publisher) ?? publisher,
    });
    journal.append([...(await signalEvents.after(Math.max(0, tail.n - RECORDS), RECORDS))]);
  }
  const since = now() - NEWS_MS;
  const newest = (await store.news.newest(NEWS)).filter(({ seenAt }) => seenAt >= since);
  const events = newest.map(({ item }): NewsEvent => ({ kind: 'news', item, revised: item.revision > 0 }));
  journal.append(events.reverse());
}
