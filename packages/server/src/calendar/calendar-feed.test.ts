import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type CalendarEvent, CalendarQuery, WindowQuery } from '@tickwire/contract';
import { CATALOGUE, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { CALENDAR_MONDAY, calendarEvent, rawEvent } from '../../testing/calendar.fixture.ts';
import type { CalendarChangeEvent, JournalEvent } from '../journal/journal.ts';
import { createCalendarStore } from '../store/sql/calendar-store.ts';
import { prepareSchema } from '../store/sqlite/migrate.ts';
import { sqliteRunner } from '../store/sqlite/run-work.ts';
import { MARKET_SCHEMA } from '../store/sqlite/schema.ts';
import { CalendarFeed } from './calendar-feed.ts';
import { CalendarIntake } from './calendar-intake.ts';
import { AffectedInstruments } from './currencies.ts';

const NOW = CALENDAR_MONDAY + 12 * 60 * MINUTE_MS;
let database: Database;
let store: ReturnType<typeof createCalendarStore>;
let feed: CalendarFeed;
let announced: JournalEvent[];
let intake: CalendarIntake;

beforeEach(async () => {
  database = new Database(':memory:');
  prepareSchema(database, ':memory:', { schema: MARKET_SCHEMA });
  store = createCalendarStore(sqliteRunner(database));
  feed = new CalendarFeed({ store, except: 'hidden' });
  announced = [];
  await feed.restore(NOW);
  intake = new CalendarIntake({
    store,
    journal: {
      append(events) {
        announced.push(...events);
        feed.read({ firstSeq: announced.length, source: '', events });
      },
    },
    affected: new AffectedInstruments(CATALOGUE),
    now: () => NOW,
  });
});
afterEach(() => database.close());

const query = (given: Readonly<Record<string, string>> = {}): CalendarQuery => CalendarQuery.parse(given);
const list = async (given: Readonly<Record<string, string>> = {}, from = feed): Promise<CalendarEvent[]> =>
  (await from.page(query(given), NOW)).items;
const ids = (events: readonly CalendarEvent[]): string[] => events.map(({ id }) => id);

describe('the intake', () => {
  test('stores an event before it announces it, with the affected instruments', async () => {
    expect(await intake.take([rawEvent({ currency: 'JPY', country: 'JP' })])).toBe(1);
    const [event] = announced as CalendarChangeEvent[];
    expect(event).toMatchObject({ kind: 'calendar', change: 'added', item: { currency: 'JPY', revision: 1 } });
    expect(event!.item.symbols).toContain('USDJPY');
    expect(event!.item.symbols).not.toContain('EURUSD');
    expect(await store.get([event!.item.id])).toEqual([event!.item]);
  });

  test('announces nothing if the store fails, and goes on afterwards', async () => {
    const broken = new CalendarIntake({
      store: { get: (given) => store.get(given), put: () => Promise.reject(new Error('full')) },
      journal: { append: (events) => announced.push(...events) },
      affected: new AffectedInstruments(CATALOGUE),
      now: () => NOW,
    });
    expect(await broken.take([rawEvent()]).catch((error: Error) => error.message)).toBe('full');
    expect(announced).toEqual([]);
    expect(await broken.take([])).toBe(0);
  });

  test('merges several states of an event in one delivery, in order', async () => {
    await intake.take([rawEvent(), rawEvent({ forecast: '2' }), rawEvent({ forecast: '2', actual: '3' })]);
    expect((announced as CalendarChangeEvent[]).map(({ change, item }) => [change, item.revision])).toEqual([
      ['added', 1],
      ['revised', 2],
      ['released', 3],
    ]);
    expect(intake.changes).toMatchObject({ added: 1, revised: 1, released: 1 });
    expect(await list()).toHaveLength(1);
  });

  test('concurrent deliveries of the same event are one event', async () => {
    const counts = await Promise.all([1, 2, 3].map(() => intake.take([rawEvent()])));
    expect(counts).toEqual([1, 0, 0]);
  });
});

describe('the list', () => {
  const fill = async (events: readonly CalendarEvent[]): Promise<void> => {
    await store.put(events);
    await feed.restore(NOW);
  };

  test('has by default the last day and the coming week, from memory', async () => {
    await fill([-4_000, -100, 0, 5_000, 12_000].map((minute, index) => calendarEvent(`e${index}`, minute)));
    expect(feed.page(query(), NOW)).not.toBeInstanceOf(Promise);
    expect(ids(await list())).toEqual(['e1', 'e2', 'e3']);
    expect(await feed.page(query(), NOW)).toMatchObject({
      from: new Date(NOW - DAY_MS).toISOString(),
      to: new Date(NOW + 7 * DAY_MS).toISOString(),
      next: null,
    });
  });

  test('filters by country, impact and instrument', async () => {
    await fill([
      calendarEvent('us', 1),
      calendarEvent('de', 2, { country: 'DE', currency: 'EUR', impact: 'low', symbols: ['EURUSD'] }),
      calendarEvent('jp', 3, { country: 'JP', impact: 'medium', symbols: ['USDJPY'] }),
    ]);
    expect(ids(await list({ country: 'de,JP' }))).toEqual(['de', 'jp']);
    expect(ids(await list({ impact: 'high,low' }))).toEqual(['us', 'de']);
    expect(ids(await list({ symbol: 'eurusd' }))).toEqual(['us', 'de']);
    expect(ids(await list({ symbol: 'NOTHING' }))).toEqual([]);
  });

  test('has the same pages from memory and from the store', async () => {
    const old = CALENDAR_MONDAY - 40 * DAY_MS;
    const events = Array.from({ length: 25 }, (_, index) =>
      calendarEvent(`e${String(index).padStart(2, '0')}`, Math.floor(index / 3)),
    );
    await fill([
      ...events,
      ...events.map((each) => ({
        ...each,
        id: `old${each.id}`,
        time: new Date(Date.parse(each.time) - 40 * DAY_MS).toISOString(),
      })),
    ]);
    const all = async (from: number): Promise<string[]> => {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await feed.page(
          query({ from: String(from), to: String(from + DAY_MS), limit: '4', ...(cursor !== null && { cursor }) }),
          NOW,
        );
        found.push(...ids(page.items));
        cursor = page.next;
      } while (cursor !== null);
      return found;
    };
    expect(feed.page(query({ from: String(old), to: String(old + DAY_MS) }), NOW)).toBeInstanceOf(Promise);
    expect(await all(CALENDAR_MONDAY)).toEqual(ids(events));
    expect(await all(old)).toEqual(ids(events).map((id) => `old${id}`));
  });

  test('shows a moved event at its new time only', async () => {
    await intake.take([rawEvent(), rawEvent({ uid: 'b', title: 'PPI' })]);
    await intake.take([rawEvent({ time: rawEvent().time + 60 * MINUTE_MS })]);
    expect((await list()).map(({ title, status }) => [title, status])).toEqual([
      ['PPI', 'scheduled'],
      ['CPI', 'moved'],
    ]);
    expect(feed.size).toBe(2);
  });

  test('hides events of another realm', async () => {
    await fill([calendarEvent('a', 1, { source: 'hidden' }), calendarEvent('b', 2)]);
    feed.read({
      firstSeq: 1,
      source: '',
      events: [{ kind: 'calendar', item: calendarEvent('c', 3, { source: 'hidden' }), change: 'added' }],
    });
    expect(ids(await list())).toEqual(['b']);
  });

  test.each([
    { from: '2026-03-02', to: '2026-03-01' },
    { from: '2024-03-02', to: '2026-03-01' },
  ])('rejects the range %o', (range) => {
    expect(() => feed.page(query(range), NOW)).toThrow('from and to must be a range');
  });
});

describe('the window of an instrument', () => {
  const window = async (at: number, given: Readonly<Record<string, string>> = {}) =>
    feed.window('EURUSD', WindowQuery.parse({ at: String(at), ...given }), NOW);

  test('is the same from memory and from the store', async () => {
    const old = 60 * DAY_MS;
    await store.put([
      calendarEvent('a', 10),
      calendarEvent('old', 10, { time: new Date(CALENDAR_MONDAY + 10 * MINUTE_MS - old).toISOString() }),
    ]);
    await feed.restore(NOW);
    const at = CALENDAR_MONDAY + 8 * MINUTE_MS;
    expect(await window(at)).toMatchObject({ inside: true, events: [{ id: 'a' }] });
    expect(await window(at - 1)).toMatchObject({ inside: false, next: { id: 'a' } });
    expect(await window(at - old)).toMatchObject({ inside: true, events: [{ id: 'old' }] });
    expect(await window(at - old - 1)).toMatchObject({ inside: false, next: { id: 'old' } });
  });

  test('considers only events of the instrument and of the given impacts', async () => {
    await store.put([calendarEvent('a', 10, { impact: 'low' }), calendarEvent('b', 10, { symbols: ['USDJPY'] })]);
    await feed.restore(NOW);
    const at = CALENDAR_MONDAY + 10 * MINUTE_MS;
    expect((await window(at)).events.map(({ id }) => id)).toEqual(['a']);
    expect(await window(at, { impact: 'high,medium' })).toMatchObject({ inside: false, next: null });
  });
});
