// A fake OANDA v20 on loopback: the account's instruments, the pricing stream with snapshot and heartbeats, and candles with
// OANDA's limits. It misbehaves on request.
import { MINUTE_MS } from '@tickwire/engine';

export const TOKEN = 'a-token-nobody-may-read';
export const ACCOUNT = '101-004-1435156-001';
const MAX_CANDLES = 5_000;

interface OpenStream {
  readonly instruments: ReadonlySet<string>;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
}

export interface PriceOptions {
  readonly time?: string;
  readonly liquidity?: number;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A PRICE message of the stream. */
export function priceOf(instrument: string, bid: string, ask: string, options: PriceOptions = {}): object {
  const { time = nanoseconds(Date.now()), liquidity = 1_000_000, more = {} } = options;
  const bids = [{ price: bid, liquidity }];
  const asks = [{ price: ask, liquidity }];
  const closeout = { closeoutBid: bid, closeoutAsk: ask, status: 'tradeable', tradeable: true };
  return { type: 'PRICE', time, bids, asks, ...closeout, instrument, ...more };
}

/** The candle of a minute, computed from its time. */
export function candleOf(time: number, complete = true): object {
  const base = 1 + ((time / MINUTE_MS / 1e5) % 1);
  const [o, h, l, c] = [base, base + 0.0002, base - 0.0001, base + 0.0001].map((price) => price.toFixed(5));
  return { complete, volume: 10 + ((time / MINUTE_MS) % 7), time: nanoseconds(time), bid: { o, h, l, c } };
}

const nanoseconds = (ms: number): string => new Date(ms).toISOString().replace('Z', '123456Z');

export class FakeOanda implements AsyncDisposable {
  readonly requests: { readonly path: string; readonly query: URLSearchParams; readonly headers: Headers }[] = [];
  /** How many times each line is sent. */
  copies = 1;
  heartbeats = true;
  /** The venue's clock. */
  now = Date.now;
  /** Minutes without a price. */
  isQuiet = (_time: number): boolean => false;
  connections = 0;
  #server: Bun.Server<undefined>;
  readonly #offered: readonly string[];
  readonly #open = new Set<OpenStream>();
  readonly #current = new Map<string, string>();
  readonly #heart: ReturnType<typeof setInterval>;
  #refusals: { readonly status: number; readonly path: RegExp; readonly headers: Record<string, string> }[] = [];

  constructor(offered: readonly string[], heartbeatMs = 20) {
    this.#offered = offered;
    this.#server = this.#listen(0);
    this.#heart = setInterval(() => {
      if (this.heartbeats) this.send(JSON.stringify({ type: 'HEARTBEAT', time: nanoseconds(Date.now()) }));
    }, heartbeatMs);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  get open(): number {
    return this.#open.size;
  }

  price(instrument: string, bid: string, ask: string, options?: PriceOptions): void {
    this.play(priceOf(instrument, bid, ask, options));
  }

  /** Sends a message to the streams with its instrument; the next snapshot contains it too. */
  play(message: object): void {
    const { instrument } = message as { instrument?: string };
    const line = JSON.stringify(message);
    if (instrument !== undefined) this.#current.set(instrument, line);
    for (const each of this.#open) {
      if (instrument !== undefined && !each.instruments.has(instrument)) continue;
      for (let copy = 0; copy < this.copies; copy++) this.#write(each, `${line}\n`);
    }
  }

  /** Sends any text as a line to all streams. */
  send(text: string): void {
    this.sendRaw(`${text}\n`);
  }

  sendRaw(text: string): void {
    for (const each of this.#open) this.#write(each, text);
  }

  /** Ends every stream: properly, or by a restart that breaks the connections. */
  cut(how: 'orderly' | 'broken'): void {
    if (how === 'orderly') for (const each of this.#open) each.controller.close();
    this.#open.clear();
    if (how === 'orderly') return;
    const { port } = this.#server;
    void this.#server.stop(true);
    this.#server = this.#listen(port!);
  }

  /** Answers the next `times` requests with a matching path with the status. */
  refuse(status: number, times = 1, path = /./, headers: Record<string, string> = {}): void {
    for (let time = 0; time < times; time++) this.#refusals.push({ status, path, headers });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#heart);
    await this.#server.stop(true);
  }

  #listen(port: number): Bun.Server<undefined> {
    return Bun.serve({ hostname: '127.0.0.1', port, idleTimeout: 0, fetch: (request) => this.#handle(request) });
  }

  #write(to: OpenStream, text: string): void {
    try {
      to.controller.enqueue(new TextEncoder().encode(text));
    } catch {
      this.#open.delete(to);
    }
  }

  #handle(request: Request): Response {
    const { pathname: path, searchParams: query } = new URL(request.url);
    this.requests.push({ path, query, headers: request.headers });
    const refusal = this.#refusals.findIndex((each) => each.path.test(path));
    if (refusal >= 0) {
      const { status, headers } = this.#refusals.splice(refusal, 1)[0]!;
      return Response.json({ errorMessage: `refused with ${status}` }, { status, headers });
    }
    if (request.headers.get('authorization') !== `Bearer ${TOKEN}`) {
      return bad('Insufficient authorization to perform request.', 401);
    }
    if (path === `/v3/accounts/${ACCOUNT}/instruments`) {
      const [displayPrecision, pipLocation] = [5, -4];
      return Response.json({
        instruments: this.#offered.map((name) => ({ name, type: 'CURRENCY', displayPrecision, pipLocation })),
      });
    }
    if (path === `/v3/accounts/${ACCOUNT}/pricing/stream`) return this.#stream(query);
    const candles = /^\/v3\/instruments\/(\w+)\/candles$/.exec(path);
    return candles ? this.#candles(candles[1]!, query) : bad('No such endpoint', 404);
  }

  #stream(query: URLSearchParams): Response {
    const instruments = new Set(query.get('instruments')?.split(','));
    if (![...instruments].every((name) => this.#offered.includes(name))) {
      return bad("Invalid value specified for 'instruments'");
    }
    this.connections++;
    let own: OpenStream;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = { instruments, controller };
        this.#open.add(own);
        if (query.get('snapshot') !== 'true') return;
        for (const name of instruments) {
          const line = this.#current.get(name);
          if (line !== undefined) this.#write(own, `${line}\n`);
        }
      },
      cancel: () => {
        this.#open.delete(own);
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'application/octet-stream' } });
  }

  #candles(name: string, query: URLSearchParams): Response {
    const now = this.now();
    const from = Date.parse(query.get('from') ?? '');
    const to = query.has('to') ? Date.parse(query.get('to')!) : now;
    const count = Number(query.get('count') ?? Number.POSITIVE_INFINITY);
    if (query.get('granularity') !== 'M1' || query.get('price') !== 'B') return bad('Not supported by the fake');
    if (!this.#offered.includes(name)) return bad("Invalid value specified for 'instrument'");
    if (query.has('to') && to > now) return bad("Invalid value specified for 'to'. Time is in the future");
    const requested = query.has('to') ? Math.floor((to - from) / MINUTE_MS) + 1 : count;
    if (requested > MAX_CANDLES) return bad("Maximum value for 'count' exceeded");
    const candles: object[] = [];
    for (let time = Math.floor(from / MINUTE_MS) * MINUTE_MS; time <= to && candles.length < count; time += MINUTE_MS) {
      if (!this.isQuiet(time)) candles.push(candleOf(time, time + MINUTE_MS <= now));
    }
    return Response.json({ instrument: name, granularity: 'M1', candles });
  }
}

const bad = (errorMessage: string, status = 400): Response => Response.json({ errorMessage }, { status });
