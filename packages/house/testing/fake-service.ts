// The endpoints that a publisher uses, on a real socket: one account, markets that break out, and a list of signals.
import type { SignalRequest } from '@tickwire/client';
import { barsThrough, sideways, snapshotOf } from './bars.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly key: string | null;
  readonly idempotencyKey: string | null;
  readonly body: SignalRequest | null;
}

export interface FakeService extends AsyncDisposable {
  readonly url: string;
  readonly requests: RecordedRequest[];
  /** Published signals. */
  readonly signals: (SignalRequest & { active: boolean })[];
  /** Highest number of requests in flight at the same time. */
  readonly maxConcurrent: number;
  posts(): RecordedRequest[];
}

export interface FakeServiceOptions {
  readonly symbols?: readonly { readonly symbol: string; readonly type: string }[];
  readonly now: () => number;
  /** Overrides the usual response, unless it returns `undefined`. */
  readonly override?: (request: RecordedRequest, count: number) => Response | undefined | Promise<Response | undefined>;
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

export function fakeService({ symbols = TWENTY, now, override }: FakeServiceOptions): FakeService {
  const requests: RecordedRequest[] = [];
  const signals: FakeService['signals'] = [];
  const responses = new Map<string, { body: string; response: unknown }>();
  let [inFlight, maxConcurrent] = [0, 0];

  const publish = ({ body, idempotencyKey }: RecordedRequest): Response => {
    const previous = responses.get(idempotencyKey ?? '');
    if (previous)
      return previous.body === JSON.stringify(body)
        ? Response.json(previous.response, { status: 201 })
        : problem(409, 'idempotency_conflict');
    const signal = { ...body!, active: true };
    signals.push(signal);
    const response = { id: `sig_${signals.length}`, user: OWN_NAME, status: 'active', ...body };
    responses.set(idempotencyKey ?? '', { body: JSON.stringify(body), response });
    return Response.json(response, { status: 201 });
  };

  const respond = (request: RecordedRequest): Response => {
    const { method, path, query } = request;
    if (path === '/api/usage') return Response.json({ account: OWN_NAME });
    if (path === '/api/symbols') return Response.json({ items: symbols, count: symbols.length });
    if (path === '/api/signals' && method === 'POST') return publish(request);
    if (path === '/api/signals') {
      const parameters = new URLSearchParams(query);
      const mine = parameters.get('user') === OWN_NAME && parameters.get('status') === 'active';
      const items = mine ? signals.filter(({ active }) => active) : [];
      return Response.json({ items, count: items.length });
    }
    return Response.json(breakoutMarket(path.split('/').at(-1)!, now()));
  };

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      maxConcurrent = Math.max(maxConcurrent, ++inFlight);
      try {
        const { pathname, search } = new URL(request.url);
        const recorded: RecordedRequest = {
          method: request.method,
          path: pathname,
          query: search,
          key: request.headers.get('X-API-Key'),
          idempotencyKey: request.headers.get('Idempotency-Key'),
          body: request.method === 'POST' ? ((await request.json()) as SignalRequest) : null,
        };
        requests.push(recorded);
        // Long enough for requests to overlap.
        await Bun.sleep(1);
        return (await override?.(recorded, requests.length)) ?? respond(recorded);
      } finally {
        inFlight--;
      }
    },
  });
  return {
    url: server.url.origin,
    requests,
    signals,
    get maxConcurrent() {
      return maxConcurrent;
    },
    posts: () => requests.filter(({ method }) => method === 'POST'),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** 59 quiet minutes, one that closes above them all, and a forming minute far below. */
export function breakoutMarket(symbol: string, now: number) {
  const bars = barsThrough([...sideways(59), 1.1006]);
  const forming = { open: 1.1006, high: 1.1007, low: 1.05, close: 1.05 };
  const minute = now - (now % 60_000);
  const ohlcv = [...bars, forming].map((bar, index, { length }) => ({
    time: new Date(minute - (length - 1 - index) * 60_000).toISOString(),
    ...bar,
    volume: 1,
  }));
  return { symbol, timeframe: '1m', ohlcv, quote: snapshotOf(bars).quote };
}

/** Waits until real I/O has made the condition true. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting for ${what}`);
    await Bun.sleep(2);
  }
}
