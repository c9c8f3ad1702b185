import { describe, expect, test } from 'bun:test';
import { type NewsDetail, TickwireError } from '@tickwire/client';
import type { Workspace } from '../workspace.ts';
import { newsItemOf } from './news.fixture.ts';
import { type NewsChange, NewsWire } from './news-wire.ts';

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
  const workspace = {
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
    listen: (_kind: string, _options: unknown, handlers: never, signal: AbortSignal) => {
      const stream = { open: true, ...(handlers as { onMessage: () => void; onGap: () => void }) };
      signal.addEventListener('abort', () => {
        stream.open = false;
      });
      streams.push(stream);
    },
    failed: (error: unknown) => failures.push(error),
  };
  const wire = new NewsWire(workspace as unknown as Workspace);
  const changes: NewsChange[] = [];
  const end = new AbortController();
  wire.follow(end.signal, (change) => changes.push(change));
  const hear = (item: NewsDetail, revised = false): void =>
    streams.at(-1)!.onMessage({ ...item, epoch: 'e', seq: 1, prev: 0, ...(revised && { revised }) });
  return { wire, asked, failures, streams, changes, end, hear };
}
const ids = (wire: NewsWire): string => wire.items.map(({ id }) => id).join('');

describe('the wire', () => {
  test('is loaded once for all who follow, and closed with the last of them', async () => {
    const { wire, asked, streams, end } = service();
    const other = new AbortController();
    wire.follow(other.signal, () => {});
    expect([asked.length, streams.length, wire.state]).toEqual([1, 1, 'loading']);
    await asked[0]!.answer([newsItemOf('a', 1)]);
    expect([wire.state, wire.whole, ids(wire)]).toEqual(['ready', true, 'a']);
    end.abort();
    expect(streams[0]!.open).toBe(true);
    other.abort();
    expect(streams[0]!.open).toBe(false);
  });

  test('what is heard while the list is under way joins it, newer than what the list says of it', async () => {
    const { wire, asked, hear } = service();
    hear(newsItemOf('c', 3));
    hear(newsItemOf('a', 1, { title: 'updated', revision: 1 }), true);
    await asked[0]!.answer([newsItemOf('b', 2), newsItemOf('a', 1)]);
    expect([ids(wire), wire.items[2]!.title]).toEqual(['cba', 'updated']);
    expect(Object.keys(wire.items[0]!)).not.toContain('seq');
  });

  test('an item takes its place by time, a revision stays where it is, each is told', async () => {
    const { wire, asked, hear, changes } = service();
    await asked[0]!.answer([newsItemOf('c', 3), newsItemOf('a', 1)]);
    hear(newsItemOf('b', 2));
    hear(newsItemOf('a', 1, { title: 'updated', revision: 1 }), true);
    expect([ids(wire), wire.items[2]!.title]).toEqual(['cba', 'updated']);
    expect(changes.map(({ item }) => item?.id ?? 'loaded')).toEqual(['loaded', 'b', 'a']);
    expect(wire.of('XAUUSD')).toEqual([]);
  });

  test('a gap asks again, and an answer to an earlier question is passed over', async () => {
    const { wire, asked, streams } = service();
    streams[0]!.onGap();
    expect([asked.length, asked[0]!.signal.aborted]).toEqual([2, true]);
    await asked[1]!.answer([newsItemOf('b', 2)]);
    await asked[0]!.answer([newsItemOf('a', 1)]);
    expect(ids(wire)).toBe('b');
  });

  test('where it cannot be loaded it says so, and a reload makes it good', async () => {
    const { wire, asked, failures, changes, end } = service();
    await asked[0]!.fail();
    expect([wire.state, failures.length, changes.length]).toEqual(['failed', 1, 1]);
    wire.reload();
    await asked[1]!.answer([newsItemOf('a', 1)]);
    expect(wire.state).toBe('ready');
    end.abort();
  });

  test('keeps the newest five hundred', async () => {
    const { wire, asked, hear } = service();
    await asked[0]!.answer([]);
    for (let n = 0; n < 510; n++) hear(newsItemOf(String(n), n));
    expect([wire.items.length, wire.items[0]!.id, wire.items.at(-1)!.id, wire.whole]).toEqual([
      500,
      '509',
      '10',
      false,
    ]);
  });

  test('who comes back later finds nothing of before until it is loaded', async () => {
    const { wire, asked, end } = service();
    await asked[0]!.answer([newsItemOf('a', 1)]);
    end.abort();
    const again = new AbortController();
    wire.follow(again.signal, () => {});
    expect([wire.state, wire.items.length, asked.length]).toEqual(['loading', 0, 2]);
    again.abort();
  });
});
