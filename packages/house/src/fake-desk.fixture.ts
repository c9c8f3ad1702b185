// The part of the service that a publisher uses, on a real socket: one account, markets that break out, and a list of signals.
import type { SignalRequest } from '@tickwire/client';
import { lookAt, sideways, through } from './bars.fixture.ts';

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly key: string | null;
  readonly idempotencyKey: string | null;
  readonly body: SignalRequest | null;
}

export interface Desk extends AsyncDisposable {
  readonly url: string;
  readonly heard: Heard[];
  /** Signals taken, each with whether it is still active. */
  readonly signals: (SignalRequest & { active: boolean })[];
  /** The most requests that were under way at once. */
  readonly busiest: number;
  posts(): Heard[];
}

export interface DeskOptions {
  readonly symbols?: readonly { readonly symbol: string; readonly type: string }[];
  readonly now: () => number;
  /** In place of the usual answer, where it gives one. */
  readonly instead?: (heard: Heard, count: number) => Response | undefined | Promise<Response | undefined>;
}

export const OWN_NAME = 'House Breakout';

export const TWENTY = Array.from({ length: 20 }, (_, index) => ({
  symbol: `SYM${index}`,
  type: ['forex', 'metal', 'crypto', 'index'][index % 4]!,
}));

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json(
    { type: 'about:blank', title: code, status, detail: code, code, request_id: 'r1' },
    { status, headers },
  );

export function fakeDesk({ symbols = TWENTY, now, instead }: DeskOptions): Desk {
  const heard: Heard[] = [];
  const signals: Desk['signals'] = [];
  const answered = new Map<string, { body: string; answer: unknown }>();
  let [underWay, busiest] = [0, 0];

  const publish = ({ body, idempotencyKey }: Heard): Response => {
    const before = answered.get(idempotencyKey ?? '');
    if (before)
      return before.body === JSON.stringify(body)
        ? Response.json(before.answer, { status: 201 })
        : problem(409, 'idempotency_conflict');
    const signal = { ...body!, active: true };
    signals.push(signal);
    const answer = { id: `sig_${signals.length}`, user: OWN_NAME, status: 'active', ...body };
    answered.set(idempotencyKey ?? '', { body: JSON.stringify(body), answer });
    return Response.json(answer, { status: 201 });
  };

  const usual = (request: Heard): Response => {
    const { method, path, query } = request;
    if (path === '/api/usage') return Response.json({ account: OWN_NAME });
    if (path === '/api/symbols') return Response.json({ items: symbols, count: symbols.length });
    if (path === '/api/signals' && method === 'POST') return publish(request);
    if (path === '/api/signals') {
      const asked = new URLSearchParams(query);
      const mine = asked.get('user') === OWN_NAME && asked.get('status') === 'active';
      const items = mine ? signals.filter(({ active }) => active) : [];
      return Response.json({ items, count: items.length });
    }
    return Response.json(breakingOut(path.split('/').at(-1)!, now()));
  };

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      busiest = Math.max(busiest, ++underWay);
      try {
        const { pathname, search } = new URL(request.url);
        const each: Heard = {
          method: request.method,
          path: pathname,
          query: search,
          key: request.headers.get('X-API-Key'),
          idempotencyKey: request.headers.get('Idempotency-Key'),
          body: request.method === 'POST' ? ((await request.json()) as SignalRequest) : null,
        };
        heard.push(each);
        // Long enough for requests to overlap.
        await Bun.sleep(1);
        return (await instead?.(each, heard.length)) ?? usual(each);
      } finally {
        underWay--;
      }
    },
  });
  return {
    url: server.url.origin,
    heard,
    signals,
    get busiest() {
      return busiest;
    },
    posts: () => heard.filter(({ method }) => method === 'POST'),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** An hour of quiet minutes, a last one above them all, and a minute that is forming far below. */
export function breakingOut(symbol: string, now: number) {
  const bars = through([...sideways(59), 1.1006]);
  const forming = { open: 1.1006, high: 1.1007, low: 1.05, close: 1.05 };
  const minute = now - (now % 60_000);
  const ohlcv = [...bars, forming].map((bar, index, { length }) => ({
    time: new Date(minute - (length - 1 - index) * 60_000).toISOString(),
    ...bar,
    volume: 1,
  }));
  return { symbol, timeframe: '1m', ohlcv, quote: lookAt(bars).quote };
}

/** Waits for real I/O to bring about a condition. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 3_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}`);
    await Bun.sleep(2);
  }
}
