// Publishes again what the previous ingest node stored but may not have published before it died: the last records of the
// signal log, the last news, the last firings of alerts, the last changes of the calendar, and all instruments that were added. Readers of the journal skip duplicates (cluster/journal/deduplicator.ts).

import type { CalendarEvent, OpenedRecord } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import { readFiring } from '../alerts/firing-messages.ts';
import type { CalendarChange, CalendarChangeEvent, InstrumentEvent, Journal, NewsEvent } from '../journal/journal.ts';
import type { Catalogue } from '../market/catalogue.ts';
import { parseRecord } from '../signals/log-records.ts';
import { SignalEvents } from '../signals/signal-events.ts';
import type { Store } from '../store/store.ts';

/** A transaction holds at most this many records, so no more can be stored but unpublished. */
const RECORDS = 1_000;
const NEWS_MS = MINUTE_MS;
const NEWS = 100;
const CALENDAR = 1_000;
/** Readers of the journal remember at least as many. */
const FIRINGS = 1_000;

export interface RepublishTailOptions {
  readonly store: Store;
  readonly catalogue: Pick<Catalogue, 'added' | 'instruments'>;
  readonly journal: Journal;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly now: () => number;
}

export async function republishTail(options: RepublishTailOptions): Promise<void> {
  const { store, catalogue, journal, nameOf, now } = options;
  const specs = new Map(catalogue.instruments.map((spec) => [spec.symbol, spec]));
  journal.append(
    catalogue.added.flatMap((added): InstrumentEvent[] => {
      const spec = specs.get(added.symbol);
      return spec ? [{ kind: 'instrument', spec, added }] : [];
    }),
  );
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
  const fired = await store.alerts.firingsSince(Math.floor(since), FIRINGS);
  journal.append(fired.map((row) => ({ kind: 'alert', account: row.account, firing: readFiring(row) })));
  const updated = await store.calendar.updatedSince(since, CALENDAR);
  journal.append(updated.map((item): CalendarChangeEvent => ({ kind: 'calendar', item, change: lastChange(item) })));
}

/** The change that a revision most likely was. Only its first delivery counts, and most revisions were delivered before. */
function lastChange({ revision, status }: CalendarEvent): CalendarChange {
  if (revision === 1) return 'added';
  return status === 'scheduled' ? 'revised' : status;
}
