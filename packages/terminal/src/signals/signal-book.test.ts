import { describe, expect, test } from 'bun:test';
import { type ActiveSignal, type Signal, type SignalOptions, TickwireError } from '@tickwire/client';
import type { Workspace } from '../workspace.ts';
import { SignalBook, type SignalChange } from './signal-book.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 2, 10, minute)).toISOString();
const active = (id: string, minute = 0): ActiveSignal => ({
  id,
  user: 'goldsmith',
  symbol: 'EURUSD',
  direction: 'buy',
  entry: 1.1,
  stop_loss: 1.09,
  take_profit: 1.12,
  status: 'active',
  timestamp: at(minute),
});
const published = (id: string, minute = 0) => {
  const { status: _status, ...message } = active(id, minute);
  return message;
};
const closed = (id: string) => ({
  ...active(id),
  status: 'closed' as const,
  pnl: 1,
  pnl_percent: 1,
  pnl_r: 1,
  entry_price: 1.1,
  exit_price: 1.12,
  closed_at: at(30),
  close_reason: 'take_profit' as const,
});

interface Asked {
  readonly options: SignalOptions;
  readonly answer: (items: readonly Signal[]) => Promise<void>;
  readonly fail: () => Promise<void>;
}

/** A service whose answers come when the test says so. */
function service() {
  const asked: Asked[] = [];
  const failures: unknown[] = [];
  let handlers: { onMessage: (message: never) => void; onGap?: (gap: never) => void } | null = null;
  const workspace = {
    client: {
      signals: (options: SignalOptions) =>
        new Promise((resolve, reject) => {
          const settled = (): Promise<void> => new Promise((done) => setTimeout(done));
          asked.push({
            options,
            answer: (items) => {
              resolve({ items, count: items.length });
              return settled();
            },
            fail: () => {
              reject(new TickwireError({ status: 503, code: 'store_unavailable', detail: '', retryAfterSeconds: 600 }));
              return settled();
            },
          });
        }),
    },
    listen: (_kind: string, _options: object, given: typeof handlers, signal: AbortSignal) => {
      handlers = given;
      signal.addEventListener('abort', () => {
        handlers = null;
      });
    },
    failed: (error: unknown) => failures.push(error),
  } as unknown as Workspace;
  return {
    asked,
    failures,
    book: new SignalBook(workspace),
    say: (message: object) => handlers?.onMessage(message as never),
    gap: () => handlers?.onGap?.({} as never),
    listening: () => handlers !== null,
  };
}

const ids = (book: SignalBook): string[] => book.active.map(({ id }) => id);

describe('the book of active signals', () => {
  test('holds what was loaded, newest first, and what comes after it', async () => {
    const { book, asked, say } = service();
    const heard: SignalChange[] = [];
    book.follow(new AbortController().signal, (change) => heard.push(change));
    expect(book.state).toBe('loading');
    await asked[0]!.answer([active('b', 2), active('a', 1)]);
    say(published('c', 3));
    expect(book.state).toBe('ready');
    expect(ids(book)).toEqual(['c', 'b', 'a']);
    say(closed('b'));
    expect(ids(book)).toEqual(['c', 'a']);
    expect(heard.map(({ published: p, closed: c }) => p?.id ?? c?.id ?? 'loaded')).toEqual(['loaded', 'c', 'b']);
  });

  test('keeps what was published while the list was under way', async () => {
    const { book, asked, say } = service();
    book.follow(new AbortController().signal, () => undefined);
    say(published('new', 5));
    await asked[0]!.answer([active('old', 1)]);
    expect(ids(book)).toEqual(['new', 'old']);
  });

  test('does not bring back what was closed while the list was under way', async () => {
    const { book, asked, say } = service();
    book.follow(new AbortController().signal, () => undefined);
    say(closed('a'));
    await asked[0]!.answer([active('a')]);
    expect(ids(book)).toEqual([]);
    // Told again after a reconnect, it stays closed.
    say(published('a'));
    expect(ids(book)).toEqual([]);
  });

  test('loads again after a gap, and drops what closed unheard', async () => {
    const { book, asked, gap } = service();
    book.follow(new AbortController().signal, () => undefined);
    await asked[0]!.answer([active('a'), active('b')]);
    gap();
    await asked[1]!.answer([active('b')]);
    expect(ids(book)).toEqual(['b']);
  });

  test('an answer that a second load has overtaken counts for nothing', async () => {
    const { book, asked, gap } = service();
    book.follow(new AbortController().signal, () => undefined);
    gap();
    await asked[1]!.answer([active('b')]);
    await asked[0]!.answer([active('a')]);
    expect(ids(book)).toEqual(['b']);
  });

  test('asks for page after page where there are more than one answer holds', async () => {
    const { book, asked } = service();
    book.follow(new AbortController().signal, () => undefined);
    const first = Array.from({ length: 500 }, (_, n) => active(`first-${n}`, 2));
    await asked[0]!.answer(first);
    expect(asked[1]!.options.before).toBe('first-499');
    await asked[1]!.answer([active('last', 1)]);
    expect(book.active).toHaveLength(501);
    expect(book.complete).toBe(true);
  });

  test('says that it failed, and loads when asked again', async () => {
    const { book, asked, failures } = service();
    book.follow(new AbortController().signal, () => undefined);
    await asked[0]!.fail();
    expect(book.state).toBe('failed');
    expect(failures).toHaveLength(1);
    book.reload();
    await asked[1]!.answer([active('a')]);
    expect([book.state, ...ids(book)]).toEqual(['ready', 'a']);
  });

  test('listens while somebody follows, and begins anew for the next one', async () => {
    const { book, asked, listening } = service();
    const [one, other] = [new AbortController(), new AbortController()];
    book.follow(one.signal, () => undefined);
    book.follow(other.signal, () => undefined);
    await asked[0]!.answer([active('a')]);
    one.abort();
    expect(listening()).toBe(true);
    other.abort();
    expect(listening()).toBe(false);
    book.follow(new AbortController().signal, () => undefined);
    expect([listening(), book.state, book.active.length]).toEqual([true, 'loading', 0]);
  });
});
