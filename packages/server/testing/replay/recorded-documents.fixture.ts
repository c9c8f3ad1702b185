// News and calendar events as a service has stored them while they arrived, revised and released, and a naive reference of what was
// known at any time.
import {
  CALENDAR_IMPACTS,
  type CalendarEvent,
  iso,
  NEWS_CATEGORIES,
  type NewsDetail,
  SENTIMENTS,
} from '@tickwire/contract';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import type { StoredNews } from '../../src/store/news-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { calendarEvent } from '../calendar.fixture.ts';
import { newsDetail } from '../news.fixture.ts';
import { Random } from '../signals/random.fixture.ts';

/** All revisions, in the order in which they became known. */
export interface RecordedDocuments {
  readonly news: readonly StoredNews[];
  readonly calendar: readonly CalendarEvent[];
}

const SYMBOLS = ['EURUSD', 'BTCUSD', 'XAUUSD'];
const ITEMS = 60;
const EVENTS = 30;

export function randomDocuments(from: number, to: number, seed: number): RecordedDocuments {
  const random = new Random(seed);
  const news: StoredNews[] = [];
  for (let n = 0; n < ITEMS; n++) {
    const publishedAt = random.whole(from, to);
    const seenAt = publishedAt + random.whole(0, 10 * MINUTE_MS);
    let knownAt = seenAt;
    for (let revision = 0; revision === 0 || (revision < 4 && random.chance(0.4)); revision++) {
      knownAt += random.whole(1, 20 * MINUTE_MS);
      const score = random.whole(-10_000, 10_000) / 10_000;
      const item = newsDetail(`n${seed}_${n}`, {
        title: `Headline ${n}, version ${revision}`,
        category: random.of(NEWS_CATEGORIES),
        sentiment: random.of(SENTIMENTS),
        sentiment_score: score,
        timestamp: iso(publishedAt),
        symbols: random.chance(0.5) ? [random.of(SYMBOLS)] : [],
        revision,
        cluster: random.whole(1, 5),
      });
      news.push({ item, seenAt, knownAt, guid: null });
    }
  }
  const calendar: CalendarEvent[] = [];
  for (let n = 0; n < EVENTS; n++) {
    const near = random.chance(0.7) ? random.whole(from, to) : random.whole(to, to + DAY_MS);
    const time = Math.floor(near / SECOND_MS) * SECOND_MS;
    const id = `cal${seed}_${n}`;
    const first = calendarEvent(id, 0, {
      time: iso(time),
      impact: random.of(CALENDAR_IMPACTS),
      symbols: [random.of(SYMBOLS)],
      updated_at: iso(random.whole(from - DAY_MS, time - 1)),
    });
    calendar.push(first);
    const knownAt = time + random.whole(-5 * MINUTE_MS, 20 * MINUTE_MS);
    if (knownAt <= Date.parse(first.updated_at) || random.chance(0.3)) continue;
    const isMoved = random.chance(0.3);
    calendar.push({
      ...first,
      revision: 2,
      updated_at: iso(knownAt),
      ...(isMoved
        ? { status: 'moved', moved_from: first.time, time: iso(time + 30 * MINUTE_MS) }
        : { status: 'released', actual: `${random.whole(0, 99)}` }),
    });
  }
  return {
    news: news.sort((a, b) => a.knownAt - b.knownAt),
    calendar: calendar.sort((a, b) => Date.parse(a.updated_at) - Date.parse(b.updated_at)),
  };
}

const after = <Of extends object>(items: readonly Of[], known: (item: Of) => number, time: number): Of[] =>
  items.filter((item) => known(item) > time);
const knownAtOf = ({ knownAt }: StoredNews): number => knownAt;
const updatedAtOf = ({ updated_at }: CalendarEvent): number => Date.parse(updated_at);

/** The same documents up to a time, and others from then on. */
export function documentsOtherwiseAfter(
  documents: RecordedDocuments,
  other: RecordedDocuments,
  time: number,
): RecordedDocuments {
  const { news, calendar } = documents;
  return {
    news: [...news.filter((item) => knownAtOf(item) <= time), ...after(other.news, knownAtOf, time)],
    calendar: [...calendar.filter((event) => updatedAtOf(event) <= time), ...after(other.calendar, updatedAtOf, time)],
  };
}

/** Stores documents in the realm `live` of a data folder. */
export async function recordDocuments(folder: string, { news, calendar }: RecordedDocuments): Promise<void> {
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  for (const item of news) await store.news.put([item]);
  for (const event of calendar) await store.calendar.put([event]);
  await store.close();
}

/** The items that were known at a time, newest first, as a replay shows them. */
export function newsKnownAt({ news }: RecordedDocuments, clock: number): NewsDetail[] {
  const items = new Map(
    news.filter(({ knownAt }) => knownAt <= clock).map(({ item }) => [item.id, { ...item, cluster: 1 }]),
  );
  return [...items.values()].sort((a, b) => compare(b.timestamp, a.timestamp) || compare(b.id, a.id));
}

/** The states of events that were known at a time, by time and id, without a value before its time. */
export function eventsKnownAt({ calendar }: RecordedDocuments, clock: number): CalendarEvent[] {
  const events = new Map(
    calendar.filter((event) => updatedAtOf(event) <= clock).map((event) => [event.id, event] as const),
  );
  return [...events.values()]
    .map(
      (event): CalendarEvent =>
        event.status === 'released' && Date.parse(event.time) > clock
          ? { ...event, status: 'scheduled', actual: null }
          : event,
    )
    .sort((a, b) => compare(a.time, b.time) || compare(a.id, b.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
