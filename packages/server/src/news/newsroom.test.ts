// The way of a headline from its source to the journal, over a real store and a scorer that does as it is told.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { asEpochMs, CATALOGUE } from '@tickwire/engine';
import type { Score, ScoreRequest } from '../ai/scorer.ts';
import type { JournalEvent, NewsEvent } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { createLog } from '../ops/log.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import { type Store, StoreError } from '../store/store.ts';
import { eventually } from '../testing/process.fixture.ts';
import { temporaryFolder } from '../testing/service.fixture.ts';
import { Curator } from './curation/curator.ts';
import { NewsFeed } from './news-feed.ts';
import { Newsroom } from './newsroom.ts';
import type { RawItem } from './raw-item.ts';

/** Long enough for what can be done, on any machine. */
const DRAIN_MS = 2_000;

const NOON = Date.UTC(2026, 2, 2, 12);
let folder: string;
let store: Store;
let feed: NewsFeed;
let room: Newsroom;
let told: JournalEvent[];
/** Sizes of the batches that were scored. */
let batches: number[];
let lines: string[];
/** What the scorer does with a batch before it answers. */
let scoring: (requests: readonly ScoreRequest[], signal: AbortSignal) => Promise<void> | void;

const bullish: Score = { sentiment: 'bullish', score: 0.71234567, model: 'model-1' };

beforeEach(async () => {
  folder = temporaryFolder();
  store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  told = [];
  batches = [];
  lines = [];
  scoring = () => {};
  const log = createLog({ level: 'warn', plain: true, write: (line) => lines.push(line) });
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, log);
  feed = new NewsFeed({ store: store.news, except: null });
  journal.subscribe(feed.read);
  journal.subscribe(({ events }) => told.push(...events));
  room = new Newsroom({
    curator: new Curator({ instruments: CATALOGUE }),
    score: async (requests, signal) => {
      batches.push(requests.length);
      await scoring(requests, signal);
      return requests.map(() => bullish);
    },
    store: store.news,
    journal,
    log,
    retryMs: 20,
    drainMs: DRAIN_MS,
  });
});
afterEach(async () => {
  await room.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const raw = (title: string, changes: Partial<RawItem> = {}): RawItem => ({
  source: 'a wire',
  category: 'gold',
  weight: 1,
  guid: title,
  url: null,
  title,
  summary: null,
  publishedAt: asEpochMs(NOON),
  seenAt: asEpochMs(NOON + 1_000),
  ...changes,
});
/** Headlines that no curation takes for one another. */
const WORDS = 'mine bank vault refinery coin jeweller reserve dealer auction smelter futures option'.split(' ');
const headlines = (count: number): RawItem[] =>
  Array.from({ length: count }, (_, index) => {
    const word = (step: number): string => `${WORDS[Math.floor(index / step) % WORDS.length]}`;
    return raw(`Gold ${word(1)} of the ${word(12)} ${index} near the ${word(144)} rises`, { guid: `g${index}` });
  });
const news = (): NewsEvent[] => told.filter((event) => event.kind === 'news');
const titles = (): string[] => news().map(({ item }) => item.title);
const stored = async (): Promise<string[]> => (await store.news.newest(10_000)).map(({ item }) => item.title);
const failing = (): never => {
  throw new Error('the model is away');
};

describe('a headline', () => {
  test('is curated, scored, stored and told with all that is known of it', async () => {
    room.take([raw('<b>Gold</b> rises as the dollar falls', { url: 'https://example.org/a', guid: 'a' })]);
    await room.settle();
    expect(news()).toEqual([
      {
        kind: 'news',
        revised: false,
        item: {
          title: 'Gold rises as the dollar falls',
          category: 'gold',
          sentiment: 'bullish',
          sentiment_score: 0.7123,
          timestamp: new Date(NOON).toISOString(),
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          url: 'https://example.org/a',
          source: 'a wire',
          model: 'model-1',
          symbols: ['XAUUSD'],
          cluster: 1,
          revision: 0,
        },
      },
    ]);
    expect(await store.news.newest(10)).toEqual([{ item: news()[0]!.item, seenAt: NOON + 1_000, guid: 'a' }]);
    expect([room.published, room.waiting]).toEqual([1, 0]);
  });

  test('is stored before it is told', async () => {
    const put = store.news.put.bind(store.news);
    const order: string[] = [];
    Object.assign(store.news, {
      put: async (items: Parameters<typeof put>[0]) => {
        await Bun.sleep(5);
        await put(items);
        order.push(`stored, ${told.length} told`);
      },
    });
    room.take(headlines(3));
    await room.settle();
    expect(order).toEqual(['stored, 0 told']);
    expect(told).toHaveLength(3);
  });

  test('about one instrument is scored as news for it, about several or none for itself', async () => {
    const asked: ScoreRequest[] = [];
    scoring = (requests) => void asked.push(...requests);
    room.take([
      raw('Gold rises to a record', { guid: '1' }),
      raw('Bitcoin and ether fall', { guid: '2', category: 'crypto' }),
      raw('Inflation stays high, the statistics office says', { guid: '3', category: 'macro' }),
    ]);
    await room.settle();
    expect(asked.map(({ category, symbol }) => [category, symbol])).toEqual([
      ['gold', 'XAUUSD'],
      ['crypto', null],
      ['macro', null],
    ] as never);
  });

  test('that curation leaves out is neither scored nor told', async () => {
    room.take([raw('Film star rises to fame', { category: null }), raw('   ')]);
    await room.settle();
    expect([batches, told, room.waiting]).toEqual([[], [], 0]);
  });
});

describe('batches', () => {
  test('are of 32, in the order of arrival, and what comes in one turn goes into one', async () => {
    const items = headlines(70);
    room.take(items.slice(0, 20));
    room.take(items.slice(20));
    await room.settle();
    expect(batches).toEqual([32, 32, 6]);
    expect(titles()).toEqual(items.map(({ title }) => title));
    expect(feed.list({ category: undefined, symbol: undefined, since: undefined, detail: false, limit: 3 })).toEqual(
      news()
        // All of one time: then by id.
        .sort((a, b) => (a.item.id < b.item.id ? 1 : -1))
        .slice(0, 3)
        .map(({ item: { title, category, sentiment, sentiment_score, timestamp } }) => ({
          title,
          category,
          sentiment,
          sentiment_score,
          timestamp,
        })),
    );
  });

  test('what comes while one is scored waits for the next', async () => {
    const items = headlines(3);
    scoring = () => {
      scoring = () => {};
      room.take(items.slice(1));
    };
    room.take(items.slice(0, 1));
    await room.settle();
    expect(batches).toEqual([1, 2]);
  });
});

describe('a revision', () => {
  const first = raw('Gold rises 1% on rate hopes', { guid: 'g' });
  const second = { ...first, title: 'Gold rises 2% on rate hopes' };
  const third = { ...first, title: 'Gold rises 3% on rate hopes' };

  test('after publication is scored for itself, stored in place of the item and told as one', async () => {
    room.take([first]);
    await room.settle();
    room.take([second]);
    await room.settle();
    expect(news().map(({ revised, item }) => [revised, item.title, item.revision])).toEqual([
      [false, first.title, 0],
      [true, second.title, 1],
    ]);
    expect(new Set(news().map(({ item }) => item.id)).size).toBe(1);
    expect(await stored()).toEqual([second.title]);
    expect([room.published, room.revised]).toEqual([1, 1]);
  });

  test('that comes while its item waits takes its place: told once, as a new item, since nobody knows another', async () => {
    room.take([first, second]);
    await room.settle();
    expect(news().map(({ revised, item }) => [revised, item.title, item.revision])).toEqual([[false, second.title, 1]]);
    expect([batches, room.published, room.revised]).toEqual([[1], 1, 0]);
  });

  test('that comes while its item is scored is scored for itself, and told after it', async () => {
    const asked: string[] = [];
    scoring = (requests) => {
      if (asked.length === 0) room.take([second]);
      asked.push(...requests.map(({ text }) => text));
    };
    room.take([first]);
    await room.settle();
    expect(asked).toEqual([first.title, second.title]);
    expect(news().map(({ revised, item }) => [revised, item.title])).toEqual([
      [false, first.title],
      [true, second.title],
    ]);
    expect(await stored()).toEqual([second.title]);
  });

  test('that comes while its item is stored is not lost: both are told, in their order', async () => {
    const put = store.news.put.bind(store.news);
    Object.assign(store.news, {
      put: async (items: Parameters<typeof put>[0]) => {
        Object.assign(store.news, { put });
        await put(items);
        room.take([second]);
        await Bun.sleep(1);
        room.take([third]);
      },
    });
    room.take([first]);
    await room.settle();
    expect(news().map(({ revised, item }) => [revised, item.title])).toEqual([
      [false, first.title],
      [true, third.title],
    ]);
    expect(await stored()).toEqual([third.title]);
    expect(room.waiting).toBe(0);
  });
});

describe('the same from another source', () => {
  const title = 'Gold climbs to a record high as the dollar slides';
  const one = raw(title, { guid: '1' });
  const other = (source: string): RawItem => raw(title, { guid: source, source });
  const clusters = (): number[] => told.flatMap((event) => (event.kind === 'news_cluster' ? [event.cluster] : []));

  test('before publication: counted in the item that is told', async () => {
    room.take([one, other('b'), other('c')]);
    await room.settle();
    expect([news().map(({ item }) => item.cluster), clusters(), room.folded]).toEqual([[3], [], 2]);
    expect((await store.news.newest(1))[0]!.item.cluster).toBe(3);
  });

  test('while a revision of it waits: both the state that is known and the one that comes are counted', async () => {
    room.take([one]);
    await room.settle();
    room.take([{ ...one, title: `${title}, again` }, other('b')]);
    await room.settle();
    expect(told.map(({ kind }) => kind)).toEqual(['news', 'news_cluster', 'news']);
    expect(news().map(({ revised, item }) => [revised, item.cluster])).toEqual([
      [false, 1],
      [true, 2],
    ]);
  });

  test.each(['scored', 'stored'])('while it is %s: told after it, and stored', async (when) => {
    if (when === 'scored') scoring = () => room.take([other('b')]);
    const put = store.news.put.bind(store.news);
    Object.assign(store.news, {
      put: async (items: Parameters<typeof put>[0]) => {
        await put(items);
        if (when === 'stored') room.take([other('b')]);
      },
    });
    room.take([one]);
    await room.settle();
    expect(told.map(({ kind }) => kind)).toEqual(['news', 'news_cluster']);
    expect([clusters(), (await store.news.newest(1))[0]!.item.cluster]).toEqual([[2], 2]);
  });

  test('after publication: told to the feed and stored, without scoring anything anew', async () => {
    room.take([one]);
    await room.settle();
    room.take([other('b'), other('b'), other('c')]);
    await room.settle();
    expect([clusters(), batches]).toEqual([[2, 3], [1]]);
    await eventually('stored', async () => (await store.news.newest(1))[0]!.item.cluster === 3);
    const [shown] = await feed.list({
      category: undefined,
      symbol: undefined,
      since: undefined,
      detail: true,
      limit: 1,
    });
    expect(shown).toMatchObject({ title, cluster: 3 });
  });
});

describe('a scorer that fails', () => {
  test('keeps items waiting; when it comes back all are told, none twice, and the log says it once', async () => {
    scoring = failing;
    room.take(headlines(40));
    await eventually('tried several times', () => batches.length >= 4);
    room.take(headlines(45).slice(40));
    expect([told, room.waiting, await stored()]).toEqual([[], 45, []]);
    scoring = () => {};
    await eventually('all told', () => room.waiting === 0);
    expect(titles().toSorted()).toEqual(
      headlines(45)
        .map(({ title }) => title)
        .toSorted(),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the model is away');
  });

  test('is not asked again by every item that comes meanwhile', async () => {
    scoring = failing;
    room.take(headlines(1));
    await room.settle();
    for (const item of headlines(10)) room.take([item]);
    await room.settle();
    expect(batches).toEqual([1]);
  });

  test('on one item alone holds up none of the others', async () => {
    scoring = (requests) => {
      if (requests.some(({ text }) => text.includes(' 5 '))) failing();
    };
    room.take(headlines(64));
    await eventually('all but one told', () => room.waiting === 1, 3_000);
    expect(news()).toHaveLength(63);
    room.take(headlines(66).slice(64));
    await eventually('the next ones too', () => news().length === 65, 3_000);
  });

  test('a store that fails counts as one: what was not stored is not told', async () => {
    const put = store.news.put.bind(store.news);
    Object.assign(store.news, { put: () => Promise.reject(new StoreError('the disk is full')) });
    room.take(headlines(2));
    await eventually('tried again', () => batches.length >= 3);
    expect(told).toEqual([]);
    Object.assign(store.news, { put });
    await eventually('told', () => told.length === 2);
    expect(await stored()).toHaveLength(2);
  });
});

test('at most 5,000 wait; past that the oldest are given up, counted, and the log says it once', async () => {
  scoring = failing;
  room.take(headlines(1));
  await room.settle();
  room.take(headlines(5_010));
  expect([room.waiting, room.dropped]).toEqual([5_001, 10]);
  expect(lines.filter((line) => line.includes('faster than it can be scored'))).toHaveLength(1);
  scoring = () => {};
  await eventually('all told', () => room.waiting === 0, 10_000);
  expect([titles().length, room.dropped]).toEqual([5_000, 11]);
  for (const { title } of headlines(10)) expect(titles()).not.toContain(title);
}, 20_000);

describe('a stop', () => {
  test('waits for what is being scored and for what waits', async () => {
    scoring = () => Bun.sleep(5);
    room.take(headlines(70));
    await room.stop();
    expect([news().length, (await stored()).length, room.waiting]).toEqual([70, 70, 0]);
    expect(lines).toEqual([]);
  });

  test('does not wait for a scorer that hangs: it is told to end, and the log says what was left', async () => {
    scoring = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    room.take(headlines(3));
    const at = performance.now();
    await room.stop();
    expect(performance.now() - at).toBeWithin(DRAIN_MS - 100, DRAIN_MS + 1_000);
    expect(told).toEqual([]);
    expect(lines.join('')).toContain('items=3');
  });

  test('ends the retries of one that fails', async () => {
    scoring = failing;
    room.take(headlines(1));
    await room.settle();
    await room.stop();
    await Bun.sleep(60);
    expect(batches).toEqual([1]);
  });
});
