import { describe, expect, test } from 'bun:test';
import { HOUR_MS } from '@tickwire/engine';
import { startWatch } from '../../../testing/event-loop.fixture.ts';
import * as fake from '../../../testing/news/fake-publisher.fixture.ts';
import { FakePublisher } from '../../../testing/news/fake-publisher.fixture.ts';
import { FETCH_LIMITS } from '../../documents/fetch-document.ts';
import type { SourceStatus } from '../../documents/source.ts';
import { createLog, silentLog } from '../../ops/log.ts';
import type { RawItem } from '../news-source.ts';
import { FeedParser } from './feed-parser.ts';
import { FeedPoller, type FeedPollerOptions } from './feed-poller.ts';
import type { FeedSource } from './polled-source.ts';

const INTERVAL_MS = 200;

const resolve = async (): Promise<string[]> => ['127.0.0.1'];

/** A poller of a publisher's pages, each with its own host name, so that the limit per host does not apply. */
class PollerHarness implements AsyncDisposable {
  readonly taken: RawItem[] = [];
  readonly lines: string[] = [];
  readonly poller: FeedPoller;

  constructor(
    publisher: FakePublisher,
    paths: readonly string[],
    options: Partial<FeedPollerOptions> & { host?: string } = {},
  ) {
    const host = (path: string): string => options.host ?? `${path.slice(1)}.example`;
    this.poller = new FeedPoller({
      sources: paths.map((path) => sourceAt(path, publisher.url(path, host(path)))),
      intervalMs: INTERVAL_MS,
      take: (items) => void this.taken.push(...items),
      now: Date.now,
      log: createLog({ level: 'warn', plain: true, write: (line) => this.lines.push(line) }),
      request: { resolve },
      ...options,
    });
    this.poller.start();
  }

  get titles(): string[] {
    return this.taken.map(({ title }) => title);
  }

  status(path: string): SourceStatus {
    return this.poller.statuses().find(({ name }) => name === path)!;
  }

  async until(condition: () => boolean, timeoutMs = 5_000): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!condition()) {
      if (performance.now() > deadline) throw new Error(`timed out: ${JSON.stringify(this.poller.statuses())}`);
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
  test('delivers new items once, within one interval of their publication', async () => {
    await using publisher = await FakePublisher.open();
    const items = [{ title: 'first' }];
    publisher.on(
      '/a',
      fake.versioned(() => fake.rss(items)),
    );
    await using harness = new PollerHarness(publisher, ['/a']);
    await harness.until(() => harness.taken.length === 1);
    expect(harness.taken[0]).toMatchObject({
      source: '/a',
      category: 'gold',
      weight: 2,
      guid: 'first',
      title: 'first',
    });
    await harness.until(() => harness.status('/a').unchanged >= 2);
    items.unshift({ title: 'second' });
    const passed = startWatch();
    await harness.until(() => harness.taken.length === 2);
    const delay = passed();
    console.log(`an item was there ${Math.round(delay)} ms after its publication, at an interval of ${INTERVAL_MS} ms`);
    // The remaining delay is due to the machine.
    expect(delay).toBeLessThan(INTERVAL_MS + 500);
    await harness.until(() => harness.status('/a').unchanged >= 4);
    expect(harness.titles).toEqual(['first', 'second']);
    expect(harness.status('/a')).toMatchObject({ state: 'ok', items: 2, failures: 0, lastError: null });
    // Some responses were 304, and no request came sooner than the interval allows.
    expect(publisher.requests.some(({ headers }) => headers['if-none-match'] !== undefined)).toBe(true);
    const times = publisher.times('/a');
    for (const [n, time] of times.slice(1).entries()) expect(time - times[n]!).toBeGreaterThan(INTERVAL_MS * 0.85);
  });

  test('takes the last 24 hours of a first feed, oldest first, and undated items only if they appear later', async () => {
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
    await using harness = new PollerHarness(publisher, ['/a']);
    await harness.until(() => harness.status('/a').unchanged >= 1);
    expect(harness.titles).toEqual(['today', 'now']);
    items.push({ title: 'undated, new', date: null }, { title: 'late', date: ago(30) });
    await harness.until(() => harness.taken.length === 4);
    expect(harness.titles.slice(2).toSorted()).toEqual(['late', 'undated, new']);
  });

  test('delivers an item again if its headline changes', async () => {
    await using publisher = await FakePublisher.open();
    let title = 'Rates up';
    publisher.on(
      '/a',
      fake.versioned(() => fake.rss([{ title, guid: 'g' }])),
    );
    await using harness = new PollerHarness(publisher, ['/a']);
    await harness.until(() => harness.taken.length === 1);
    title = 'Rates up by 25 points';
    await harness.until(() => harness.taken.length === 2);
    expect(harness.taken.map(({ guid, title }) => [guid, title])).toEqual([
      ['g', 'Rates up'],
      ['g', 'Rates up by 25 points'],
    ]);
  });

  test('bad sources cause one warning each and do not affect the good ones', async () => {
    await using publisher = await FakePublisher.open();
    const expected: Record<string, [fake.PublisherBehaviour, string]> = {
      '/malformed': [fake.feed('<rss version="2.0"><channel><item><title>x</channel></rss>'), 'malformed: '],
      '/page': [fake.feed('<html></html>'), 'not_a_feed: it is an HTML page'],
      '/silent': [fake.silent, 'timeout: no response within 2000 ms'],
      '/drip': [fake.drip(20), 'timeout: not complete within 3000 ms'],
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
    await using harness = new PollerHarness(publisher, ['/good', '/many', '/latin', ...Object.keys(expected)], {
      request: { limits: { ...FETCH_LIMITS, totalMs: 3_000, firstByteMs: 2_000 }, resolve },
    });
    await harness.until(() => Object.keys(expected).every((path) => harness.status(path).failures > 0), 15_000);
    await harness.until(() => harness.status('/many').items > 0 && harness.status('/latin').items > 0 && good >= 3);
    for (const [path, [, error]] of Object.entries(expected)) {
      expect(harness.status(path)).toMatchObject({ state: 'failing', items: 0 });
      expect(harness.status(path).lastError).toStartWith(error);
      const warnings = harness.lines.filter((line) => line.includes(`source=${path} `));
      expect([path, warnings.length]).toEqual([path, 1]);
    }
    expect(harness.status('/many').items).toBe(1_000);
    expect(harness.titles).toContain('Zürich');
    expect(harness.status('/good')).toMatchObject({ state: 'ok', failures: 0 });
  });

  test('terminates a parser that takes too long and parses the other feeds', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on(
      '/slow',
      fake.feed(`<rss version="2.0"><channel><item><author>${'('.repeat(1e6)}</author></item></channel></rss>`),
    );
    publisher.on('/good', fake.feed(fake.rss([{ title: 'good' }])));
    await using harness = new PollerHarness(publisher, ['/slow', '/good'], { parser: new FeedParser(2_000) });
    await harness.until(() => harness.status('/slow').failures > 0 && harness.taken.length === 1, 15_000);
    expect(harness.status('/slow').lastError).toBe('too_slow: not parsed within 2000 ms');
  });

  test('sends one request per host at a time, and four in total', async () => {
    await using publisher = await FakePublisher.open();
    const slowly: fake.PublisherBehaviour = (socket, asked) =>
      void setTimeout(() => fake.feed(fake.rss([]))(socket, asked), 60);
    const paths = Array.from({ length: 12 }, (_, n) => `/p${n}`);
    for (const path of paths) publisher.on(path, slowly);
    {
      await using harness = new PollerHarness(publisher, paths, { host: 'one.example' });
      await harness.until(() => publisher.requests.length >= 6);
      expect(publisher.maxOpen).toBe(1);
    }
    await using harness = new PollerHarness(publisher, paths);
    await harness.until(() => paths.every((path) => harness.status(path).state === 'ok'));
    expect(publisher.maxOpen).toBeGreaterThan(1);
    expect(publisher.maxOpen).toBeLessThanOrEqual(4);
  });

  test('spreads the first polls', async () => {
    await using publisher = await FakePublisher.open();
    const paths = Array.from({ length: 8 }, (_, n) => `/p${n}`);
    for (const path of paths) publisher.on(path, fake.feed(fake.rss([])));
    await using harness = new PollerHarness(publisher, paths, { intervalMs: 1_600, random: () => 0.5 });
    await harness.until(() => publisher.requests.length === 8);
    const times = publisher.requests.map(({ at }) => at);
    // Eight over half an interval: one every 100 ms.
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(600);
  });

  test('backs off from a failing source and returns to the interval after a success', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/a', fake.status(503));
    await using harness = new PollerHarness(publisher, ['/a'], { intervalMs: 60, random: () => 0 });
    await harness.until(() => publisher.requests.length === 4);
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
    await harness.until(() => harness.status('/a').unchanged >= 3);
    expect(harness.status('/a')).toMatchObject({ state: 'ok', failures: 4, lastError: null });
    const times = publisher.times('/a');
    // The next backoff would have been 960 ms.
    expect(times.at(-1)! - times.at(-2)!).toBeLessThan(480);
  });

  test('waits for Retry-After', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/a', fake.status(429, { 'Retry-After': 1 }));
    await using harness = new PollerHarness(publisher, ['/a'], { intervalMs: 30 });
    await harness.until(() => publisher.requests.length === 2);
    const [first, second] = publisher.times('/a') as [number, number];
    expect(second - first).toBeGreaterThan(990);
  });

  test('stops polling a source after 410 Gone', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/a', fake.status(410));
    await using harness = new PollerHarness(publisher, ['/a'], { intervalMs: 30 });
    await harness.until(() => harness.status('/a').state === 'stopped');
    await Bun.sleep(200);
    expect(publisher.requests).toHaveLength(1);
    expect(harness.status('/a')).toMatchObject({ failures: 1, lastError: 'gone: status 410' });
  });

  test('polls the target of a permanent redirect directly', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/old', fake.redirect('/new', 301)).on(
      '/new',
      fake.versioned(() => fake.rss([{ title: 'moved' }])),
    );
    await using harness = new PollerHarness(publisher, ['/old']);
    await harness.until(() => harness.status('/old').unchanged >= 2);
    expect(publisher.times('/old')).toHaveLength(1);
    expect(harness.status('/old').url).toBe(publisher.url('/new', 'old.example'));
    expect(harness.titles).toEqual(['moved']);
  });

  test('keeps polling if a consumer throws', async () => {
    await using publisher = await FakePublisher.open();
    let count = 0;
    publisher.on('/a', (socket, asked) => fake.feed(fake.rss([{ title: `item ${++count}` }]))(socket, asked));
    const taken: string[] = [];
    const take = (items: readonly RawItem[]): void => {
      taken.push(...items.map(({ title }) => title));
      throw new Error('full');
    };
    await using harness = new PollerHarness(publisher, ['/a'], { take });
    await harness.until(() => taken.length >= 2);
    expect(harness.status('/a')).toMatchObject({ state: 'ok', failures: 0 });
    expect(harness.lines.some((line) => line.includes('news items could not be processed'))).toBe(true);
  });

  test('stop ends requests, parsing and timers immediately', async () => {
    await using publisher = await FakePublisher.open();
    publisher
      .on('/silent', fake.silent)
      .on('/endless', fake.drip(10))
      .on('/good', fake.feed(fake.rss([{ title: 'x' }])));
    const poller = new FeedPoller({
      sources: ['/silent', '/endless', '/good'].map((path) =>
        sourceAt(path, publisher.url(path, `${path.slice(1)}.example`)),
      ),
      intervalMs: 50,
      take: () => {},
      now: Date.now,
      log: silentLog,
      request: { resolve },
    });
    poller.start();
    while (publisher.requests.length < 6) await Bun.sleep(5);
    const passed = startWatch();
    await poller.stop();
    expect(passed()).toBeLessThan(500);
    const asked = publisher.requests.length;
    await Bun.sleep(250);
    expect(publisher.requests).toHaveLength(asked);
    expect(publisher.connections).toBe(0);
    expect(poller.statuses().map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped']);
    // The process must exit by itself.
    const script = `import { FeedPoller } from ${JSON.stringify(import.meta.resolve('./feed-poller.ts'))};
      const poller = new FeedPoller({ sources: [${JSON.stringify(sourceAt('a', publisher.url('/good')))}], intervalMs: 60,
        take: async () => { await poller.stop(); console.log('stopped'); }, now: Date.now, log: { warn() {} } });
      poller.start();`;
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit', timeout: 10_000 });
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stdout).text()).toBe('stopped\n');
  });

  test('memory does not grow if a feed has new items on every poll', async () => {
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
    await using harness = new PollerHarness(publisher, ['/a'], { intervalMs: 10, take });
    await harness.until(() => count >= 30_000, 20_000);
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    await harness.until(() => count >= 90_000, 30_000);
    Bun.gc(true);
    const grown = (process.memoryUsage().rss - before) / 2 ** 20;
    console.log(`60,000 new items: ${grown.toFixed(1)} MiB more`);
    expect(grown).toBeLessThan(64);
  });
});
