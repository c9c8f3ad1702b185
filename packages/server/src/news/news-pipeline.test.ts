// The path of a headline from its source to the journal, with a real store and a scripted scorer.
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { asEpochMs, CATALOGUE } from '@tickwire/engine';
import { eventually } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import type { Score, ScoreRequest } from '../ai/scorer.ts';
import { StoreError } from '../errors/store-error.ts';
import type { JournalEvent, NewsEvent } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { createLog } from '../ops/log.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { Curator } from './curation/curator.ts';
import { NewsFeed } from './news-feed.ts';
import { NewsPipeline } from './news-pipeline.ts';
import type { RawItem } from './news-source.ts';

/** Long enough to finish on any machine. */
const DRAIN_MS = 60_000;
const MAX_WAITING = 100;

const NOON = Date.UTC(2026, 2, 2, 12);
const STORED_AT = NOON + 2_000;
let folder: string;
let store: Store;
let feed: NewsFeed;
let pipeline: NewsPipeline;
let published: JournalEvent[];
/** Sizes of the batches that were scored. */
let batches: number[];
let lines: string[];
/** What the scorer does with a batch before it returns. */
/** Scores by symbol; '' is the whole headline. Others are bullish. */
let views: Record<string, Score>;
let scoring: (requests: readonly ScoreRequest[], signal: AbortSignal) => Promise<void> | void;

const certainty = { confidence: 0.8, undecided: false, probabilities: { bearish: 0.09, neutral: 0.11, bullish: 0.8 } };
const bullish: Score = { sentiment: 'bullish', score: 0.71234567, model: 'model-1', certainty };

beforeEach(async () => {
  folder = temporaryFolder();
  store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  published = [];
  batches = [];
  lines = [];
  scoring = () => {};
  views = {};
  const log = createLog({ level: 'warn', plain: true, write: (line) => lines.push(line) });
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, log);
  feed = new NewsFeed({ store: store.news, except: null });
  journal.subscribe(feed.read);
  journal.subscribe(({ events }) => published.push(...events));
  pipeline = new NewsPipeline({
    curator: new Curator({ instruments: CATALOGUE }),
    score: async (requests, signal) => {
      batches.push(requests.length);
      await scoring(requests, signal);
      return requests.map(({ symbol }) => views[symbol ?? ''] ?? bullish);
    },
    store: store.news,
    journal,
    now: () => STORED_AT,
    log,
    maxWaiting: MAX_WAITING,
    retryMs: 20,
    drainMs: DRAIN_MS,
  });
});
afterEach(async () => {
  await pipeline.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const raw = (title: string, changes: Partial<RawItem> = {}): RawItem => ({
  source: 'a wire',
  account: null,
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
const ADA = { id: 'pub_ada', name: 'Ada' };
/** Headlines that curation does not take for duplicates. */
const WORDS = 'mine bank vault refinery coin jeweller reserve dealer auction smelter futures option'.split(' ');
const headlines = (count: number): RawItem[] =>
  Array.from({ length: count }, (_, index) => {
    const word = (step: number): string => `${WORDS[Math.floor(index / step) % WORDS.length]}`;
    return raw(`Gold ${word(1)} of the ${word(12)} ${index} near the ${word(144)} rises`, { guid: `g${index}` });
  });
const news = (): NewsEvent[] => published.filter((event) => event.kind === 'news');
const titles = (): string[] => news().map(({ item }) => item.title);
const stored = async (): Promise<string[]> => (await store.news.newest(10_000)).map(({ item }) => item.title);
const failing = (): never => {
  throw new Error('the model is unavailable');
};

describe('a headline', () => {
  test('is curated, scored, stored and published with all its fields', async () => {
    pipeline.take([raw('<b>Gold</b> rises as the dollar falls', { url: 'https://example.org/a', guid: 'a' })]);
    await pipeline.settle();
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
          account: null,
          published_at: new Date(NOON).toISOString(),
          model: 'model-1',
          certainty,
          symbols: ['XAUUSD'],
          sentiments: [{ symbol: 'XAUUSD', sentiment: 'bullish', sentiment_score: 0.7123 }],
          cluster: 1,
          revision: 0,
        },
      },
    ]);
    expect(await store.news.newest(10)).toEqual([
      { item: news()[0]!.item, seenAt: NOON + 1_000, knownAt: STORED_AT, guid: 'a' },
    ]);
    expect([pipeline.published, pipeline.waiting]).toEqual([1, 0]);
  });

  test('about several instruments has its own label, and one for each of them', async () => {
    const bearish: Score = { ...bullish, sentiment: 'bearish', score: -0.5 };
    views = { '': bearish, USDJPY: bearish };
    pipeline.take([raw('EURUSD and USDJPY move as the dollar falls', { category: 'forex' })]);
    await pipeline.settle();
    expect(batches).toEqual([3]);
    const { sentiment, sentiments } = news()[0]!.item;
    expect(sentiment).toBe('bearish');
    expect(sentiments).toEqual([
      { symbol: 'EURUSD', sentiment: 'bullish', sentiment_score: 0.7123 },
      { symbol: 'USDJPY', sentiment: 'bearish', sentiment_score: -0.5 },
    ]);
  });

  test('without a time of its source has the time of receipt, and says so, also after it was stored', async () => {
    pipeline.take([raw('Gold rises as the dollar falls', { publishedAt: null })]);
    await pipeline.settle();
    const expected = { timestamp: new Date(NOON + 1_000).toISOString(), published_at: null };
    expect(news()[0]!.item).toMatchObject(expected);
    expect((await store.news.newest(1))[0]!.item).toMatchObject(expected);
  });

  test('is stored before it is published', async () => {
    const put = store.news.put.bind(store.news);
    const order: string[] = [];
    Object.assign(store.news, {
      put: async (items: Parameters<typeof put>[0]) => {
        await Bun.sleep(5);
        await put(items);
        order.push(`stored, ${published.length} published`);
      },
    });
    pipeline.take(headlines(3));
    await pipeline.settle();
    expect(order).toEqual(['stored, 0 published']);
    expect(published).toHaveLength(3);
  });

  test('about one instrument is scored for it, about several or none as a whole first', async () => {
    const asked: ScoreRequest[] = [];
    scoring = (requests) => void asked.push(...requests);
    pipeline.take([
      raw('Gold rises to a record', { guid: '1' }),
      raw('Bitcoin and ether fall', { guid: '2', category: 'crypto' }),
      raw('Inflation stays high, the statistics office says', { guid: '3', category: 'macro', account: ADA }),
    ]);
    await pipeline.settle();
    expect(asked.map(({ category, symbol, origin }) => [category, symbol, origin])).toEqual([
      ['gold', 'XAUUSD', 'a wire'],
      ['crypto', null, 'a wire'],
      ['crypto', 'BTCUSD', 'a wire'],
      ['crypto', 'ETHUSD', 'a wire'],
      ['macro', null, 'pub_ada\u0000a wire'],
    ] as never);
  });

  test('that curation leaves out is neither scored nor published', async () => {
    pipeline.take([raw('Film star rises to fame', { category: null }), raw('   ')]);
    await pipeline.settle();
    expect([batches, published, pipeline.waiting]).toEqual([[], [], 0]);
  });
});

describe('batches', () => {
  test('have 32 items in the order of arrival, and items of one turn share a batch', async () => {
    const items = headlines(70);
    pipeline.take(items.slice(0, 20));
    pipeline.take(items.slice(20));
    await pipeline.settle();
    expect(batches).toEqual([32, 32, 6]);
    expect(titles()).toEqual(items.map(({ title }) => title));
    expect(feed.list({ category: undefined, symbol: undefined, since: undefined, detail: false, limit: 3 })).toEqual(
      news()
        // All have the same time, so they are ordered by id.
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

  test('items that arrive while a batch is scored wait for the next one', async () => {
    const items = headlines(3);
    scoring = () => {
      scoring = () => {};
      pipeline.take(items.slice(1));
    };
    pipeline.take(items.slice(0, 1));
    await pipeline.settle();
    expect(batches).toEqual([1, 2]);
  });
});

describe('a revision', () => {
  const first = raw('Gold rises 1% on rate hopes', { guid: 'g' });
  const second = { ...first, title: 'Gold rises 2% on rate hopes' };
  const third = { ...first, title: 'Gold rises 3% on rate hopes' };

  test('after publication is scored, replaces the stored item and is published as a revision', async () => {
    pipeline.take([first]);
    await pipeline.settle();
    pipeline.take([second]);
    await pipeline.settle();
    expect(news().map(({ revised, item }) => [revised, item.title, item.revision])).toEqual([
      [false, first.title, 0],
      [true, second.title, 1],
    ]);
    expect(new Set(news().map(({ item }) => item.id)).size).toBe(1);
    expect(await stored()).toEqual([second.title]);
    expect([pipeline.published, pipeline.revised]).toEqual([1, 1]);
  });

  test('that arrives while its item waits replaces it and is published once, as a new item', async () => {
    pipeline.take([first, second]);
    await pipeline.settle();
    expect(news().map(({ revised, item }) => [revised, item.title, item.revision])).toEqual([[false, second.title, 1]]);
    expect([batches, pipeline.published, pipeline.revised]).toEqual([[1], 1, 0]);
  });

  test('that arrives while its item is scored is scored and published after it', async () => {
    const asked: string[] = [];
    scoring = (requests) => {
      if (asked.length === 0) pipeline.take([second]);
      asked.push(...requests.map(({ text }) => text));
    };
    pipeline.take([first]);
    await pipeline.settle();
    expect(asked).toEqual([first.title, second.title]);
    expect(news().map(({ revised, item }) => [revised, item.title])).toEqual([
      [false, first.title],
      [true, second.title],
    ]);
    expect(await stored()).toEqual([second.title]);
  });

  test('that arrives while its item is stored is not lost: both are published in order', async () => {
    const put = store.news.put.bind(store.news);
    Object.assign(store.news, {
      put: async (items: Parameters<typeof put>[0]) => {
        Object.assign(store.news, { put });
        await put(items);
        pipeline.take([second]);
        await Bun.sleep(1);
        pipeline.take([third]);
      },
    });
    pipeline.take([first]);
    await pipeline.settle();
    expect(news().map(({ revised, item }) => [revised, item.title])).toEqual([
      [false, first.title],
      [true, third.title],
    ]);
    expect(await stored()).toEqual([third.title]);
    expect(pipeline.waiting).toBe(0);
  });
});

describe('the same news from another source', () => {
  const title = 'Gold climbs to a record high as the dollar slides';
  const one = raw(title, { guid: '1' });
  const other = (source: string): RawItem => raw(title, { guid: source, source });
  const clusters = (): number[] => published.flatMap((event) => (event.kind === 'news_cluster' ? [event.cluster] : []));

  test('before publication is counted in the published item', async () => {
    pipeline.take([one, other('b'), other('c')]);
    await pipeline.settle();
    expect([news().map(({ item }) => item.cluster), clusters(), pipeline.clustered]).toEqual([[3], [], 2]);
    expect((await store.news.newest(1))[0]!.item.cluster).toBe(3);
  });

  test('while a revision waits is counted in the published item and in the revision', async () => {
    pipeline.take([one]);
    await pipeline.settle();
    pipeline.take([{ ...one, title: `${title}, again` }, other('b')]);
    await pipeline.settle();
    expect(published.map(({ kind }) => kind)).toEqual(['news', 'news_cluster', 'news']);
    expect(news().map(({ revised, item }) => [revised, item.cluster])).toEqual([
      [false, 1],
      [true, 2],
    ]);
  });

  test.each(['scored', 'stored'])('while the item is %s is stored and published after it', async (when) => {
    if (when === 'scored') scoring = () => pipeline.take([other('b')]);
    const put = store.news.put.bind(store.news);
    Object.assign(store.news, {
      put: async (items: Parameters<typeof put>[0]) => {
        await put(items);
        if (when === 'stored') pipeline.take([other('b')]);
      },
    });
    pipeline.take([one]);
    await pipeline.settle();
    expect(published.map(({ kind }) => kind)).toEqual(['news', 'news_cluster']);
    expect([clusters(), (await store.news.newest(1))[0]!.item.cluster]).toEqual([[2], 2]);
  });

  test('after publication is stored and published without scoring again', async () => {
    pipeline.take([one]);
    await pipeline.settle();
    pipeline.take([other('b'), other('b'), other('c')]);
    await pipeline.settle();
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
  test('keeps items waiting; after recovery all are published once, with one log message', async () => {
    scoring = failing;
    pipeline.take(headlines(40));
    await eventually('several attempts', () => batches.length >= 4);
    pipeline.take(headlines(45).slice(40));
    expect([published, pipeline.waiting, await stored()]).toEqual([[], 45, []]);
    scoring = () => {};
    await eventually('all published', () => pipeline.waiting === 0);
    expect(titles().toSorted()).toEqual(
      headlines(45)
        .map(({ title }) => title)
        .toSorted(),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the model is unavailable');
  });

  test('is not called again for every new item', async () => {
    scoring = failing;
    pipeline.take(headlines(1));
    await pipeline.settle();
    for (const item of headlines(10)) pipeline.take([item]);
    await pipeline.settle();
    expect(batches).toEqual([1]);
  });

  test('on one item does not block the others', async () => {
    scoring = (requests) => {
      if (requests.some(({ text }) => text.includes(' 5 '))) failing();
    };
    pipeline.take(headlines(64));
    await eventually('all but one published', () => pipeline.waiting === 1);
    expect(news()).toHaveLength(63);
    pipeline.take(headlines(66).slice(64));
    await eventually('the next ones published', () => news().length === 65);
  });

  test('a store that fails is treated alike: items that are not stored are not published', async () => {
    const put = store.news.put.bind(store.news);
    Object.assign(store.news, { put: () => Promise.reject(new StoreError('the disk is full')) });
    pipeline.take(headlines(2));
    await eventually('a retry', () => batches.length >= 3);
    expect(published).toEqual([]);
    Object.assign(store.news, { put });
    await eventually('published', () => published.length === 2);
    expect(await stored()).toHaveLength(2);
  });
});

test('a bounded number of items waits; beyond it the oldest are dropped, counted, and logged once', async () => {
  scoring = failing;
  pipeline.take(headlines(1));
  await pipeline.settle();
  pipeline.take(headlines(MAX_WAITING + 10));
  expect([pipeline.waiting, pipeline.dropped]).toEqual([MAX_WAITING + 1, 10]);
  expect(lines.filter((line) => line.includes('faster than it can be scored'))).toHaveLength(1);
  scoring = () => {};
  await eventually('all published', () => pipeline.waiting === 0);
  expect([titles().length, pipeline.dropped]).toEqual([MAX_WAITING, 11]);
  for (const { title } of headlines(10)) expect(titles()).not.toContain(title);
});

describe('a stop', () => {
  test('waits for items that are being scored or waiting', async () => {
    scoring = () => Bun.sleep(5);
    pipeline.take(headlines(70));
    await pipeline.stop();
    expect([news().length, (await stored()).length, pipeline.waiting]).toEqual([70, 70, 0]);
    expect(lines).toEqual([]);
  });

  test('aborts a scorer that hangs and logs the number of items left', async () => {
    let scorer: AbortSignal | undefined;
    scoring = (_, signal) => {
      scorer = signal;
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    pipeline.take(headlines(3));
    await eventually('a call of the scorer', () => scorer !== undefined);
    jest.useFakeTimers();
    const stopped = pipeline.stop();
    jest.advanceTimersByTime(DRAIN_MS - 1);
    expect(scorer!.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    jest.useRealTimers();
    await stopped;
    expect(published).toEqual([]);
    expect(lines.join('')).toContain('items=3');
  });

  test('ends the retries of a failing scorer', async () => {
    scoring = failing;
    pipeline.take(headlines(1));
    await pipeline.settle();
    await pipeline.stop();
    await Bun.sleep(60);
    expect(batches).toEqual([1]);
  });
});
