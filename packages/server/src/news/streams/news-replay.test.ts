// Requests of a news client during its replay.
import { describe, expect, test } from 'bun:test';
import type { NewsDetail } from '@tickwire/contract';
import type { Journal } from '../../journal/journal.ts';
import { Connection, type Socket } from '../../ws/connection.ts';
import { ItemSubscribers } from '../../ws/item-subscribers.ts';
import { ReplayQuota } from '../../ws/replay-quota.ts';
import { ReplayScheduler } from '../../ws/replay-scheduler.ts';
import { StreamCounts } from '../../ws/stream-counts.ts';
import type { Subscriber } from '../../ws/subscriber.ts';
import { NEWS_CHANNEL } from './news-channel.ts';

const ITEMS = 400;
const unexpected = (): void => expect.unreachable();

function setUp() {
  const journal: Journal = { epoch: 'run', lastSeq: 0, append: () => {}, subscribe: () => () => {} };
  const replays = new ReplayScheduler(
    () => {},
    (_, error) => {
      throw error;
    },
  );
  const quota = new ReplayQuota(1e9, Date.now);
  const catalogue = { resolve: () => undefined };
  const news = new ItemSubscribers({
    channel: NEWS_CHANNEL,
    catalogue,
    journal,
    replays,
    quota,
    counts: new StreamCounts(),
  });
  const publisher = { publish: unexpected, schedule: unexpected, cancel: unexpected };
  for (let at = 0; at < ITEMS; at++) {
    const item = { id: `n${at}`, title: 'x'.repeat(200), symbols: [] as string[] };
    news.reads.news!({ kind: 'news', item: item as unknown as NewsDetail, revised: false }, at + 1, publisher);
  }
  Object.assign(journal, { lastSeq: ITEMS });
  const seen: number[] = [];
  const socket = { buffered: 0, send: (text: string) => seen.push(JSON.parse(text).seq) };
  const connection = new Connection('news', 'here', null, 0);
  connection.socket = {
    ...socket,
    cork: (work: () => void) => work(),
    getBufferedAmount: () => socket.buffered,
  } as unknown as Socket;
  const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
  const finished = async (): Promise<void> => {
    for (let turns = 0; turns < 100 && replays.active > 0; turns++) await turn();
    expect(replays.active).toBe(0);
  };
  const [subscriber] = connection.subscribers as [Subscriber];
  news.subscribe(subscriber, ['*'], true);
  return { news, subscriber, seen, turn, finished };
}

describe('a news replay', () => {
  test('stops when the client unsubscribes', async () => {
    const { news, subscriber, seen, turn, finished } = setUp();
    news.resume(subscriber, { epoch: 'run', seq: 0 }, unexpected);
    while (seen.length === 0) await turn();
    const before = seen.length;
    expect(before).toBeLessThan(ITEMS);
    news.unsubscribe(subscriber, undefined);
    await finished();
    expect(seen).toHaveLength(before);
  });

  test('restarts from the new position when the client resumes again', async () => {
    const { news, subscriber, seen, turn, finished } = setUp();
    news.resume(subscriber, { epoch: 'run', seq: 0 }, unexpected);
    while (seen.length === 0) await turn();
    seen.length = 0;
    news.resume(subscriber, { epoch: 'run', seq: 10 }, unexpected);
    await finished();
    expect(seen).toEqual(Array.from({ length: ITEMS - 10 }, (_, at) => at + 11));
    expect(news.isReplaying(subscriber)).toBe(false);
  });
});
