import { describe, expect, test } from 'bun:test';
import { createLog, silentLog } from '../../ops/log.ts';
import type { NewsSourceStatus, RawItem } from '../raw-item.ts';
import * as fake from './fake-publisher.fixture.ts';
import { FakePublisher } from './fake-publisher.fixture.ts';
import { FeedReader } from './feed-reader.ts';
import { FETCH_LIMITS } from './fetch-feed.ts';
import type { FeedSource } from './polled-source.ts';
import { Poller, type PollerOptions } from './poller.ts';

const INTERVAL_MS = 200;
const HOUR_MS = 3_600_000;

/** A poller on a publisher's pages, each at a host of its own, so that one host's turn is not another's. */
class Desk implements AsyncDisposable {
  readonly taken: RawItem[] = [];
  readonly lines: string[] = [];
  readonly poller: Poller;

  constructor(
    publisher: FakePublisher,
    paths: readonly string[],
    options: Partial<PollerOptions> & { host?: string } = {},
  ) {
    const host = (path: string): string => options.host ?? `${path.slice(1)}.example`;
    this.poller = new Poller({
      sources: paths.map((path) => sourceAt(path, publisher.url(path, host(path)))),
      intervalMs: INTERVAL_MS,
      take: (items) => void this.taken.push(...items),
      now: Date.now,
      log: createLog({ level: 'warn', plain: true, write: (line) => this.lines.push(line) }),
      request: { limits: { ...FETCH_LIMITS, totalMs: 500, firstByteMs: 300 }, resolve: async () => ['127.0.0.1'] },
      ...options,
    });
    this.poller.start();
  }

  get titles(): string[] {
    return this.taken.map(({ title }) => title);
  }

  status(path: string): NewsSourceStatus {
    return this.poller.statuses().find(({ name }) => name === path)!;
  }

  async until(true_: () => boolean, patienceMs = 5_000): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (!true_()) {
      if (performance.now() > deadline) throw new Error(`in vain: ${JSON.stringify(this.poller.statuses())}`);
      await Bun.sleep(5);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.poller.stop();
  }
}

const sourceAt = (name: string, url: string): FeedSource => ({
  name,
  url,
  category: 'gold',
  weight: 2,
  mayBePrivate: true,
});

describe('the poller', () => {
  test('hands on what is new, once, within one interval of its publication', async () => {
    await using publisher = await FakePublisher.open();
    const items = [{ title: 'first' }];
    publisher.on(
      '/a',
      fake.versioned(() => fake.rss(items)),
    );
    await using desk = new Desk(publisher, ['/a']);
    await desk.until(() => desk.taken.length === 1);
    expect(desk.taken[0]).toMatchObject({ source: '/a', category: 'gold', weight: 2, guid: 'first', title: 'first' });
    await desk.until(() => desk.status('/a').unchanged >= 2);
    items.unshift({ title: 'second' });
    const published = performance.now();
    await desk.until(() => desk.taken.length === 2);
    const delay = performance.now() - published;
    console.log(`an item was there ${Math.round(delay)} ms after its publication, at an interval of ${INTERVAL_MS} ms`);
    // The rest is the machine's.
    expect(delay).toBeLessThan(INTERVAL_MS + 500);
    await desk.until(() => desk.status('/a').unchanged >= 4);
    expect(desk.titles).toEqual(['first', 'second']);
    expect(desk.status('/a')).toMatchObject({ state: 'ok', items: 2, failures: 0, lastError: null });
    // Somebody was told 304, and nobody faster than the interval allows.
    expect(publisher.asked.some(({ headers }) => headers['if-none-match'] !== undefined)).toBe(true);
    const times = publisher.times('/a');
    for (const [n, time] of times.slice(1).entries()) expect(time - times[n]!).toBeGreaterThan(INTERVAL_MS * 0.85);
  });

  test('takes of a first feed the last 24 hours, oldest first, and of undated items only those that come later', async () => {
    await using publisher = await FakePublisher.open();
    const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);
    const items: fake.FakeItem[] = [
      { title: 'now', date: ago(0) },
      { title: 'today', date: ago(23) },
      { title: 'old', date: ago(25) },
      { title: 'undated', date: null },
    ];
    publisher.on(
      '/a',
      fake.versioned(() => fake.rss(items)),
    );
    await using desk = new Desk(publisher, ['/a']);
    await desk.until(() => desk.status('/a').unchanged >= 1);
    expect(desk.titles).toEqual(['today', 'now']);
    items.push({ title: 'undated, new', date: null }, { title: 'late', date: ago(30) });
    await desk.until(() => desk.taken.length === 4);
    expect(desk.titles.slice(2).toSorted()).toEqual(['late', 'undated, new']);
  });

  test('a headline that changed is news again', async () => {
    await using publisher = await FakePublisher.open();
    let title = 'Rates up';
    publisher.on(
      '/a',
      fake.versioned(() => fake.rss([{ title, guid: 'g' }])),
    );
    await using desk = new Desk(publisher, ['/a']);
    await desk.until(() => desk.taken.length === 1);
    title = 'Rates up by 25 points';
    await desk.until(() => desk.taken.length === 2);
    expect(desk.taken.map(({ guid, title }) => [guid, title])).toEqual([
      ['g', 'Rates up'],
      ['g', 'Rates up by 25 points'],
    ]);
  });

  test('bad sources cost a warning each, by name, and the good ones nothing', async () => {
    await using publisher = await FakePublisher.open();
    const expected: Record<string, [fake.Behaviour, string]> = {
      '/malformed': [fake.feed('<rss version="2.0"><channel><item><title>x</channel></rss>'), 'malformed: '],
      '/page': [fake.feed('<html></html>'), 'not_a_feed: it is a web page'],
      '/silent': [fake.silent, 'timeout: no answer within 300 ms'],
      '/drip': [fake.drip(20), 'timeout: no end within 500 ms'],
      '/endless': [fake.endless(), 'too_large: '],
      '/bomb': [fake.bomb(100), 'too_large: '],
      '/cut': [fake.truncatedGzip, 'bad_encoding: '],
      '/short': [fake.shortBody, 'unreachable: ECONNRESET'],
      '/reset': [fake.reset, 'unreachable: ECONNRESET'],
      '/circle': [fake.redirect('/circle'), 'too_many_redirects: '],
      '/inside': [fake.redirect('http://169.254.169.254/'), 'private_address: '],
      '/busy': [fake.status(429), 'bad_status: status 429'],
      '/broken': [fake.status(500), 'bad_status: status 500'],
    };
    for (const [path, [behaviour]] of Object.entries(expected)) publisher.on(path, behaviour);
    const many = Array.from({ length: 10_000 }, (_, n) => ({ title: `many ${n}` }));
    publisher.on('/many', fake.feed(fake.rss(many)));
    publisher.on(
      '/latin',
      fake.feed(Buffer.from(fake.rss([{ title: 'Zürich' }]), 'latin1'), { 'Content-Type': 'text/xml; charset=utf-8' }),
    );
    let good = 0;
    publisher.on('/good', (socket, asked) => fake.feed(fake.rss([{ title: `good ${++good}` }]))(socket, asked));
    await using desk = new Desk(publisher, ['/good', '/many', '/latin', ...Object.keys(expected)]);
    await desk.until(() => Object.keys(expected).every((path) => desk.status(path).failures > 0), 15_000);
    await desk.until(() => desk.status('/many').items > 0 && desk.status('/latin').items > 0 && good >= 3);
    for (const [path, [, error]] of Object.entries(expected)) {
      expect(desk.status(path)).toMatchObject({ state: 'failing', items: 0 });
      expect(desk.status(path).lastError).toStartWith(error);
      const warnings = desk.lines.filter((line) => line.includes(`source=${path} `));
      expect([path, warnings.length]).toEqual([path, 1]);
    }
    expect(desk.status('/many').items).toBe(1_000);
    expect(desk.titles).toContain('Zürich');
    expect(desk.status('/good')).toMatchObject({ state: 'ok', failures: 0 });
  }, 30_000);

  test('a thread is cut off that reads for too long, and the others are read after it', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on(
      '/slow',
      fake.feed(`<rss version="2.0"><channel><item><author>${'('.repeat(1e6)}</author></item></channel></rss>`),
    );
    publisher.on('/good', fake.feed(fake.rss([{ title: 'good' }])));
    await using desk = new Desk(publisher, ['/slow', '/good'], { reader: new FeedReader(2_000) });
    await desk.until(() => desk.status('/slow').failures > 0 && desk.taken.length === 1, 15_000);
    expect(desk.status('/slow').lastError).toBe('too_slow: not read within 2000 ms');
  });

  test('asks one host one thing at a time, and four in all', async () => {
    await using publisher = await FakePublisher.open();
    const slowly: fake.Behaviour = (socket, asked) => void setTimeout(() => fake.feed(fake.rss([]))(socket, asked), 60);
    const paths = Array.from({ length: 12 }, (_, n) => `/p${n}`);
    for (const path of paths) publisher.on(path, slowly);
    {
      await using desk = new Desk(publisher, paths, { host: 'one.example' });
      await desk.until(() => publisher.asked.length >= 6);
      expect(publisher.most).toBe(1);
    }
    await using desk = new Desk(publisher, paths);
    await desk.until(() => paths.every((path) => desk.status(path).state === 'ok'));
    expect(publisher.most).toBeGreaterThan(1);
    expect(publisher.most).toBeLessThanOrEqual(4);
  });

  test('spreads the first polls', async () => {
    await using publisher = await FakePublisher.open();
    const paths = Array.from({ length: 8 }, (_, n) => `/p${n}`);
    for (const path of paths) publisher.on(path, fake.feed(fake.rss([])));
    await using desk = new Desk(publisher, paths, { intervalMs: 1_600, random: () => 0.5 });
    await desk.until(() => publisher.asked.length === 8);
    const times = publisher.asked.map(({ at }) => at);
    // Eight over half an interval: one every 100 ms.
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(600);
  });

  test('asks a source in trouble less and less, and at its interval again once it is well', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/a', fake.status(503));
    await using desk = new Desk(publisher, ['/a'], { intervalMs: 60, random: () => 0 });
    await desk.until(() => publisher.asked.length === 4);
    const [a, b, c, d] = publisher.times('/a') as [number, number, number, number];
    for (const [pause, least] of [
      [b - a, 120],
      [c - b, 240],
      [d - c, 480],
    ] as const) {
      expect(pause).toBeGreaterThan(least - 15);
      expect(pause).toBeLessThan(least + 1_500);
    }
    publisher.on('/a', fake.feed(fake.rss([{ title: 'well' }])));
    await desk.until(() => desk.status('/a').unchanged >= 3);
    expect(desk.status('/a')).toMatchObject({ state: 'ok', failures: 4, lastError: null });
    const times = publisher.times('/a');
    // The next pause of the row would have been 960 ms.
    expect(times.at(-1)! - times.at(-2)!).toBeLessThan(480);
  });

  test('waits as long as a publisher asks for', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/a', fake.status(429, { 'Retry-After': 1 }));
    await using desk = new Desk(publisher, ['/a'], { intervalMs: 30 });
    await desk.until(() => publisher.asked.length === 2);
    const [first, second] = publisher.times('/a') as [number, number];
    expect(second - first).toBeGreaterThan(990);
  });

  test('leaves a source alone that is gone for good', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/a', fake.status(410));
    await using desk = new Desk(publisher, ['/a'], { intervalMs: 30 });
    await desk.until(() => desk.status('/a').state === 'stopped');
    await Bun.sleep(200);
    expect(publisher.asked).toHaveLength(1);
    expect(desk.status('/a')).toMatchObject({ failures: 1, lastError: 'gone: status 410' });
  });

  test('goes where a source has moved to, without the detour', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/old', fake.redirect('/new', 301)).on(
      '/new',
      fake.versioned(() => fake.rss([{ title: 'moved' }])),
    );
    await using desk = new Desk(publisher, ['/old']);
    await desk.until(() => desk.status('/old').unchanged >= 2);
    expect(publisher.times('/old')).toHaveLength(1);
    expect(desk.status('/old').url).toBe(publisher.url('/new', 'old.example'));
    expect(desk.titles).toEqual(['moved']);
  });

  test('whoever takes the news and fails does not stop it', async () => {
    await using publisher = await FakePublisher.open();
    let count = 0;
    publisher.on('/a', (socket, asked) => fake.feed(fake.rss([{ title: `item ${++count}` }]))(socket, asked));
    const taken: string[] = [];
    const take = (items: readonly RawItem[]): void => {
      taken.push(...items.map(({ title }) => title));
      throw new Error('full');
    };
    await using desk = new Desk(publisher, ['/a'], { take });
    await desk.until(() => taken.length >= 2);
    expect(desk.status('/a')).toMatchObject({ state: 'ok', failures: 0 });
    expect(desk.lines.some((line) => line.includes('news could not be taken'))).toBe(true);
  });

  test('stop ends everything at once: requests, readings, timers', async () => {
    await using publisher = await FakePublisher.open();
    publisher
      .on('/silent', fake.silent)
      .on('/endless', fake.drip(10))
      .on('/good', fake.feed(fake.rss([{ title: 'x' }])));
    const poller = new Poller({
      sources: ['/silent', '/endless', '/good'].map((path) =>
        sourceAt(path, publisher.url(path, `${path.slice(1)}.example`)),
      ),
      intervalMs: 50,
      take: () => {},
      now: Date.now,
      log: silentLog,
      request: { resolve: async () => ['127.0.0.1'] },
    });
    poller.start();
    while (publisher.asked.length < 6) await Bun.sleep(5);
    const began = performance.now();
    await poller.stop();
    expect(performance.now() - began).toBeLessThan(500);
    const asked = publisher.asked.length;
    await Bun.sleep(250);
    expect(publisher.asked).toHaveLength(asked);
    expect(publisher.connections).toBe(0);
    expect(poller.statuses().map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped']);
    // A process with nothing left to do ends.
    const script = `import { Poller } from ${JSON.stringify(import.meta.resolve('./poller.ts'))};
      const poller = new Poller({ sources: [${JSON.stringify(sourceAt('a', publisher.url('/good')))}], intervalMs: 60,
        take: async () => { await poller.stop(); console.log('stopped'); }, now: Date.now, log: { warn() {} } });
      poller.start();`;
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit', timeout: 10_000 });
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stdout).text()).toBe('stopped\n');
  }, 20_000);

  test('memory does not grow by feeds that are new each time', async () => {
    await using publisher = await FakePublisher.open();
    let round = 0;
    publisher.on('/a', (socket, asked) => {
      round++;
      const items = Array.from({ length: 1_000 }, (_, n) => ({ title: `${round}/${n} ${'words '.repeat(20)}` }));
      fake.feed(fake.rss(items))(socket, asked);
    });
    let count = 0;
    const take = (items: readonly RawItem[]): void => {
      count += items.length;
    };
    await using desk = new Desk(publisher, ['/a'], { intervalMs: 10, take });
    await desk.until(() => count >= 30_000, 20_000);
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    await desk.until(() => count >= 90_000, 30_000);
    Bun.gc(true);
    const grown = (process.memoryUsage().rss - before) / 2 ** 20;
    console.log(`60,000 new items: ${grown.toFixed(1)} MiB more`);
    expect(grown).toBeLessThan(64);
  }, 60_000);
});
