// Calendar sources over real sockets, among them publishers that misbehave.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  answer,
  bomb,
  endless,
  FakePublisher,
  redirect,
  rss,
  silent,
  status,
  versioned,
} from '../../../testing/news/fake-publisher.fixture.ts';
import { silentLog } from '../../ops/log.ts';
import type { RawCalendarEvent } from '../raw-event.ts';
import { CalendarParser } from './calendar-parser.ts';
import { CalendarPoller } from './calendar-poller.ts';
import type { CalendarSource } from './calendar-source.ts';
import { FileWatcher } from './file-watcher.ts';

const ics = (time: string, summary = 'CPI'): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:cpi\r\nSUMMARY:${summary}\r\nDTSTART:${time}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const source = (name: string, url: string, changes: Partial<CalendarSource> = {}): CalendarSource => ({
  name,
  url,
  file: null,
  format: null,
  country: 'US',
  currency: 'USD',
  timezone: 'UTC',
  impact: 'medium',
  impacts: {},
  include: [],
  match: 'id',
  mayBePrivate: true,
  ...changes,
});

/** One for all pollers: each would start a thread, which costs more than what it parses. A poller stops its parser. */
class SharedParser extends CalendarParser {
  override stop(): void {}

  end(): void {
    super.stop();
  }
}
const parser = new SharedParser(10_000);
afterAll(() => parser.end());

let publisher: FakePublisher;
let taken: RawCalendarEvent[];
let poller: CalendarPoller | null;
beforeEach(async () => {
  publisher = await FakePublisher.open();
  taken = [];
  poller = null;
});
afterEach(async () => {
  await poller?.stop();
  await publisher[Symbol.asyncDispose]();
});

const take = async (events: readonly RawCalendarEvent[]): Promise<number> => {
  taken.push(...events);
  return events.length;
};
/** Tests of slow publishers have shorter limits: on a busy machine, these would also end what works. */
const LIMITS = { maxBytes: 100_000, totalMs: 30_000, firstByteMs: 30_000 };
const IMPATIENT = { ...LIMITS, totalMs: 400, firstByteMs: 300 };
function poll(sources: readonly CalendarSource[], { takeEvents = take, limits = LIMITS } = {}): CalendarPoller {
  poller = new CalendarPoller({
    sources,
    intervalMs: 60,
    take: takeEvents,
    now: Date.now,
    log: silentLog,
    random: () => 0,
    parser,
    request: { limits },
  });
  poller.start();
  return poller;
}
async function until(condition: () => boolean, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error('took too long');
    await Bun.sleep(5);
  }
}
const stateOf = (name: string) => poller!.statuses().find((each) => each.name === name)!;

describe('a polled calendar', () => {
  test('delivers events of iCalendar, RSS and CSV documents', async () => {
    publisher
      .on('/a.ics', answer(200, { 'Content-Type': 'text/calendar' }, ics('20260311T123000Z')))
      .on(
        '/b.rss',
        answer(200, {}, rss([{ title: 'UK trade: March', guid: 'b', date: new Date(Date.UTC(2026, 2, 13, 7)) }])),
      )
      .on('/c.csv', answer(200, {}, 'time,title,country\n2026-03-06T13:30Z,Jobs,CA\n'));
    poll(['a.ics', 'b.rss', 'c.csv'].map((name) => source(name, publisher.url(`/${name}`))));
    await until(() => taken.length >= 3);
    const found = taken.slice(0, 3).toSorted((a, b) => a.time - b.time);
    expect(found.map(({ title, time, country, uid }) => [title, new Date(time).toISOString(), country, uid])).toEqual([
      ['Jobs', '2026-03-06T13:30:00.000Z', 'CA', null],
      ['CPI', '2026-03-11T12:30:00.000Z', 'US', 'cpi'],
      ['UK trade: March', '2026-03-13T07:00:00.000Z', 'US', 'b'],
    ]);
  });

  test('is asked conditionally, and an unchanged document is not read again', async () => {
    publisher.on(
      '/a.ics',
      versioned(() => ics('20260311T123000Z')),
    );
    poll([source('a', publisher.url('/a.ics'))]);
    await until(() => stateOf('a').unchanged >= 2);
    expect(taken).toHaveLength(1);
    expect(publisher.requests[1]!.headers).toHaveProperty('if-none-match');
    expect(publisher.requests[0]!.headers.accept).toStartWith('text/calendar');
  });

  test('is read again if its events could not be stored', async () => {
    publisher.on(
      '/a.ics',
      versioned(() => ics('20260311T123000Z')),
    );
    let calls = 0;
    const takeEvents = async (events: readonly RawCalendarEvent[]) => {
      if (++calls === 1) throw new Error('disk full');
      return take(events);
    };
    poll([source('a', publisher.url('/a.ics'))], { takeEvents });
    await until(() => stateOf('a').items === 1);
    expect(stateOf('a').failures).toBe(1);
    expect(taken).toHaveLength(1);
  });

  test.each([
    ['slow', silent, /^timeout/],
    ['garbage', answer(200, {}, 'garbage \u0000 \uffff'), /^not_a_calendar/],
    ['a web page', answer(200, { 'Content-Type': 'text/html' }, '<!doctype html><html></html>'), /^not_a_calendar/],
    ['cut', answer(200, {}, ics('20260311T123000Z').slice(0, 90)), /^truncated/],
    ['huge', endless(), /^too_large/],
    ['a bomb', bomb(50), /^too_large/],
    ['broken', status(500), /^bad_status: status 500/],
    ['redirecting to a private address', redirect('http://10.0.0.1/'), /^private_address/],
    ['redirecting to a local name', redirect('http://localhost:1/'), /^private_address/],
  ] as const)('that is %s fails by name and does not affect another', async (_name, behaviour, reason) => {
    publisher.on('/bad', behaviour).on('/good.ics', answer(200, {}, ics('20260311T123000Z')));
    // Another host name, since one host is asked by one request at a time.
    const limits = behaviour === silent ? IMPATIENT : LIMITS;
    poll([source('bad', publisher.url('/bad')), source('good', publisher.url('/good.ics', 'localhost'))], { limits });
    await until(() => stateOf('bad').failures >= 1 && stateOf('good').items >= 1);
    expect(stateOf('bad')).toMatchObject({ state: 'failing', lastError: expect.stringMatching(reason), items: 0 });
    expect(stateOf('good').state).toBe('ok');
  });
});

test('a calendar file is read when it changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickwire-calendar-'));
  const file = join(folder, 'own.csv');
  writeFileSync(file, 'time,title\n2026-03-06,A\n');
  const watcher = new FileWatcher({
    sources: [source('own', '', { file }), source('missing', '', { file: join(folder, 'none.csv') })],
    intervalMs: 20,
    take,
    parser,
    now: Date.now,
    log: silentLog,
  });
  watcher.start();
  await until(() => watcher.statuses()[0]!.unchanged >= 2);
  expect(taken).toHaveLength(1);
  writeFileSync(file, 'time,title\n2026-03-06,A\n2026-03-07,B\n');
  await until(() => watcher.statuses()[0]!.items === 3);
  expect(taken).toHaveLength(3);
  const [own, missing] = watcher.statuses();
  expect(own).toMatchObject({ state: 'ok', url: null });
  expect(missing).toMatchObject({ state: 'failing', lastError: expect.stringContaining('ENOENT') });
  await watcher.stop();
  rmSync(folder, { recursive: true });
});
