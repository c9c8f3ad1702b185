// What readers of news do while they are being brought up to date.
import { describe, expect, test } from 'bun:test';
import type { NewsDetail } from '@tickwire/contract';
import type { Journal, NewsEvent } from '../journal/journal.ts';
import { Connection, type Socket } from './connection.ts';
import { NewsReaders } from './news-readers.ts';
import { Replays } from './replays.ts';

const ITEMS = 400;

function stage() {
  const journal: Journal = { epoch: 'run', lastSeq: 0, append: () => {}, subscribe: () => () => {} };
  const replays = new Replays(
    () => {},
    (_, error) => {
      throw error;
    },
  );
  const news = new NewsReaders({ symbols: new Set(), journal, replays });
  const events = Array.from({ length: ITEMS }, (_, at): NewsEvent => {
    const item = { id: `n${at}`, title: 'x'.repeat(200), symbols: [] as string[] };
    return { kind: 'news', item: item as unknown as NewsDetail, revised: false };
  });
  news.read({ firstSeq: 1, source: '', events });
  Object.assign(journal, { lastSeq: ITEMS });
  const seen: number[] = [];
  const link = { buffered: 0, send: (text: string) => seen.push(JSON.parse(text).seq) };
  const connection = new Connection('news', 'here', null, 0);
  connection.socket = {
    ...link,
    cork: (work: () => void) => work(),
    getBufferedAmount: () => link.buffered,
  } as unknown as Socket;
  const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
  const finished = async (): Promise<void> => {
    for (let turns = 0; turns < 100 && replays.active > 0; turns++) await turn();
    expect(replays.active).toBe(0);
  };
  news.subscribe(connection, ['*'], true);
  return { news, connection, seen, turn, finished };
}

describe('news during a replay', () => {
  test('whoever unsubscribes gets no more of it', async () => {
    const { news, connection, seen, turn, finished } = stage();
    news.resume(connection, { epoch: 'run', seq: 0 });
    while (seen.length === 0) await turn();
    const before = seen.length;
    expect(before).toBeLessThan(ITEMS);
    news.unsubscribe(connection, undefined);
    await finished();
    expect(seen).toHaveLength(before);
  });

  test('whoever asks again is sent it from there, in order, to the end', async () => {
    const { news, connection, seen, turn, finished } = stage();
    news.resume(connection, { epoch: 'run', seq: 0 });
    while (seen.length === 0) await turn();
    seen.length = 0;
    news.resume(connection, { epoch: 'run', seq: 10 });
    await finished();
    expect(seen).toEqual(Array.from({ length: ITEMS - 10 }, (_, at) => at + 11));
    expect(news.isReplaying(connection)).toBe(false);
  });
});
