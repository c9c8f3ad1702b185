import { describe, expect, test } from 'bun:test';
import { type ActiveSignal, type Signal, type SignalOptions, TickwireError } from '@tickwire/client';
import { ActiveSignals, type SignalChange } from './active-signals.ts';
import type { LiveListServices } from './live-list.ts';

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
  const services = {
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
    streams: {
      open: (_kind: string, _options: object, given: typeof handlers, signal: AbortSignal) => {
        handlers = given;
        signal.addEventListener('abort', () => {
          handlers = null;
        });
      },
    },
    notifier: { reportError: (error: unknown) => failures.push(error) },
  } as unknown as LiveListServices<'signals'>;
  return {
    asked,
    failures,
    list: new ActiveSignals(services),
    say: (message: object) => handlers?.onMessage(message as never),
    gap: () => handlers?.onGap?.({} as never),
    listening: () => handlers !== null,
  };
}

const ids = (list: ActiveSignals): string[] => list.active.map(({ id }) => id);

describe('the list of active signals', () => {
  test('contains the loaded signals, newest first, and later ones', async () => {
    const { list, asked, say } = service();
    const heard: SignalChange[] = [];
    list.subscribe(new AbortController().signal, (change) => heard.push(change));
    expect(list.state).toBe('loading');
    await asked[0]!.answer([active('b', 2), active('a', 1)]);
    say(published('c', 3));
    expect(list.state).toBe('ready');
    expect(ids(list)).toEqual(['c', 'b', 'a']);
    say(closed('b'));
    expect(ids(list)).toEqual(['c', 'a']);
    expect(heard.map(({ published: p, closed: c }) => p?.id ?? c?.id ?? 'loaded')).toEqual(['loaded', 'c', 'b']);
  });

  test('reports fills, partial exits and tighter stops apart from the list', async () => {
    const { list, asked, say } = service();
    const heard: SignalChange[] = [];
    const progress: string[] = [];
    const end = new AbortController();
    list.subscribe(new AbortController().signal, (change) => heard.push(change));
    list.onProgress(end.signal, (id) => progress.push(id));
    await asked[0]!.answer([active('a'), active('b')]);
    say({ ...active('a'), state: 'open', filled_at: at(1), entry_price: 1.1 });
    say({ id: 'b', user: 'goldsmith', symbol: 'EURUSD', change: 'amended', stop_loss: 1.095, timestamp: at(2) });
    end.abort();
    say({ id: 'b', user: 'goldsmith', symbol: 'EURUSD', change: 'amended', stop_loss: 1.096, timestamp: at(3) });
    expect(progress).toEqual(['a', 'b']);
    expect(heard).toHaveLength(1);
    expect(ids(list).sort()).toEqual(['a', 'b']);
  });

  test('keeps signals published while the list was loading', async () => {
    const { list, asked, say } = service();
    list.subscribe(new AbortController().signal, () => undefined);
    say(published('new', 5));
    await asked[0]!.answer([active('old', 1)]);
    expect(ids(list)).toEqual(['new', 'old']);
  });

  test('does not bring back signals closed while the list was loading', async () => {
    const { list, asked, say } = service();
    list.subscribe(new AbortController().signal, () => undefined);
    say(closed('a'));
    await asked[0]!.answer([active('a')]);
    expect(ids(list)).toEqual([]);
    // Told again after a reconnect, it stays closed.
    say(published('a'));
    expect(ids(list)).toEqual([]);
  });

  test('reloads after a gap, and drops signals that closed in between', async () => {
    const { list, asked, gap } = service();
    list.subscribe(new AbortController().signal, () => undefined);
    await asked[0]!.answer([active('a'), active('b')]);
    gap();
    await asked[1]!.answer([active('b')]);
    expect(ids(list)).toEqual(['b']);
  });

  test('ignores a response that a later load has overtaken', async () => {
    const { list, asked, gap } = service();
    list.subscribe(new AbortController().signal, () => undefined);
    gap();
    await asked[1]!.answer([active('b')]);
    await asked[0]!.answer([active('a')]);
    expect(ids(list)).toEqual(['b']);
  });

  test('loads page after page', async () => {
    const { list, asked } = service();
    list.subscribe(new AbortController().signal, () => undefined);
    const first = Array.from({ length: 500 }, (_, n) => active(`first-${n}`, 2));
    await asked[0]!.answer(first);
    expect(asked[1]!.options.before).toBe('first-499');
    await asked[1]!.answer([active('last', 1)]);
    expect(list.active).toHaveLength(501);
    expect(list.complete).toBe(true);
  });

  test('reports a failed load, and reloads on request', async () => {
    const { list, asked, failures } = service();
    list.subscribe(new AbortController().signal, () => undefined);
    await asked[0]!.fail();
    expect(list.state).toBe('failed');
    expect(failures).toHaveLength(1);
    list.reload();
    await asked[1]!.answer([active('a')]);
    expect([list.state, ...ids(list)]).toEqual(['ready', 'a']);
  });

  test('keeps its stream open while there are subscribers, and starts over for the next one', async () => {
    const { list, asked, listening } = service();
    const [one, other] = [new AbortController(), new AbortController()];
    list.subscribe(one.signal, () => undefined);
    list.subscribe(other.signal, () => undefined);
    await asked[0]!.answer([active('a')]);
    one.abort();
    expect(listening()).toBe(true);
    other.abort();
    expect(listening()).toBe(false);
    list.subscribe(new AbortController().signal, () => undefined);
    expect([listening(), list.state, list.active.length]).toEqual([true, 'loading', 0]);
  });
});
