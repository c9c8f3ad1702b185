import { describe, expect, test } from 'bun:test';
import { type NewsDetail, TickwireError } from '@tickwire/client';
import { newsItemOf } from '../../testing/news.ts';
import { LatestNews, type NewsChange } from './latest-news.ts';
import type { LiveListServices } from './live-list.ts';

interface Asked {
  readonly signal: AbortSignal;
  readonly answer: (items: readonly NewsDetail[]) => Promise<void>;
  readonly fail: () => Promise<void>;
}

/** A service whose answers come when the test says so. */
function service() {
  const asked: Asked[] = [];
  const failures: unknown[] = [];
  const streams: { open: boolean; onMessage: (item: unknown) => void; onGap: () => void }[] = [];
  const settled = (): Promise<void> => new Promise((done) => setTimeout(done));
  const services = {
    client: {
      news: (_options: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve, reject) => {
          asked.push({
            signal,
            answer: (items) => {
              resolve({ items });
              return settled();
            },
            fail: () => {
              reject(new TickwireError({ status: 503, code: 'store_unavailable', detail: '', retryAfterSeconds: 600 }));
              return settled();
            },
          });
        }),
    },
    streams: {
      open: (_kind: string, _options: unknown, handlers: never, signal: AbortSignal) => {
        const stream = { open: true, ...(handlers as { onMessage: () => void; onGap: () => void }) };
        signal.addEventListener('abort', () => {
          stream.open = false;
        });
        streams.push(stream);
      },
    },
    notifier: { reportError: (error: unknown) => failures.push(error) },
  };
  const news = new LatestNews(services as unknown as LiveListServices<'news'>);
  const changes: NewsChange[] = [];
  const end = new AbortController();
  news.subscribe(end.signal, (change) => changes.push(change));
  const hear = (item: NewsDetail, revised = false): void =>
    streams.at(-1)!.onMessage({ ...item, epoch: 'e', seq: 1, prev: 0, ...(revised && { revised }) });
  return { news, asked, failures, streams, changes, end, hear };
}
const ids = (news: LatestNews): string => news.items.map(({ id }) => id).join('');

describe('the latest news', () => {
  test('are loaded once for all subscribers, and closed with the last one', async () => {
    const { news, asked, streams, end } = service();
    const other = new AbortController();
    news.subscribe(other.signal, () => {});
    expect([asked.length, streams.length, news.state]).toEqual([1, 1, 'loading']);
    await asked[0]!.answer([newsItemOf('a', 1)]);
    expect([news.state, news.complete, ids(news)]).toEqual(['ready', true, 'a']);
    end.abort();
    expect(streams[0]!.open).toBe(true);
    other.abort();
    expect(streams[0]!.open).toBe(false);
  });

  test('include headlines received while loading, which are newer than the response', async () => {
    const { news, asked, hear } = service();
    hear(newsItemOf('c', 3));
    hear(newsItemOf('a', 1, { title: 'updated', revision: 1 }), true);
    await asked[0]!.answer([newsItemOf('b', 2), newsItemOf('a', 1)]);
    expect([ids(news), news.items[2]!.title]).toEqual(['cba', 'updated']);
    expect(Object.keys(news.items[0]!)).not.toContain('seq');
  });

  test('insert a headline by time, revise it in place, and report both', async () => {
    const { news, asked, hear, changes } = service();
    await asked[0]!.answer([newsItemOf('c', 3), newsItemOf('a', 1)]);
    hear(newsItemOf('b', 2));
    hear(newsItemOf('a', 1, { title: 'updated', revision: 1 }), true);
    expect([ids(news), news.items[2]!.title]).toEqual(['cba', 'updated']);
    expect(changes.map(({ item }) => item?.id ?? 'loaded')).toEqual(['loaded', 'b', 'a']);
    expect(news.of('XAUUSD')).toEqual([]);
  });

  test('reload after a gap, and ignore the response to an earlier request', async () => {
    const { news, asked, streams } = service();
    streams[0]!.onGap();
    expect([asked.length, asked[0]!.signal.aborted]).toEqual([2, true]);
    await asked[1]!.answer([newsItemOf('b', 2)]);
    await asked[0]!.answer([newsItemOf('a', 1)]);
    expect(ids(news)).toBe('b');
  });

  test('report a failed load, and recover by a reload', async () => {
    const { news, asked, failures, changes, end } = service();
    await asked[0]!.fail();
    expect([news.state, failures.length, changes.length]).toEqual(['failed', 1, 1]);
    news.reload();
    await asked[1]!.answer([newsItemOf('a', 1)]);
    expect(news.state).toBe('ready');
    end.abort();
  });

  test('keep the newest 500', async () => {
    const { news, asked, hear } = service();
    await asked[0]!.answer([]);
    for (let n = 0; n < 510; n++) hear(newsItemOf(String(n), n));
    expect([news.items.length, news.items[0]!.id, news.items.at(-1)!.id, news.complete]).toEqual([
      500,
      '509',
      '10',
      false,
    ]);
  });

  test('start empty for a later subscriber', async () => {
    const { news, asked, end } = service();
    await asked[0]!.answer([newsItemOf('a', 1)]);
    end.abort();
    const again = new AbortController();
    news.subscribe(again.signal, () => {});
    expect([news.state, news.items.length, asked.length]).toEqual(['loading', 0, 2]);
    again.abort();
  });
});
