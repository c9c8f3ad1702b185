// A fake exchange on loopback: a real server with real sockets that speaks one venue's protocol, remembers every trade, and
// misbehaves on request.
import type { Server, ServerWebSocket } from 'bun';
import type { FakeClient, FakeProtocol } from './fake-protocol.fixture.ts';
import { type FakeQuote, FakeTape, type FakeTrade } from './fake-tape.fixture.ts';

/** How trades reach the clients. `lost`: never sent. `malformed`: sent without a valid price. */
export type Delivery = 'sent' | 'lost' | 'twice' | 'shuffled' | 'malformed';
export type RestFault = '403' | '429' | '451' | '500' | 'truncated' | 'hang';

/** The venue as a whole. Names that do not resolve and failures of TLS are those of other addresses: see `faultyUrls`. */
export type Outage = 'blocked region' | 'forbidden' | 'maintenance' | 'no answer';

interface Connection {
  readonly client: FakeClient;
  /** Stays open but gets no more messages. */
  mute: boolean;
  frames: number;
  second: number;
}
type Socket = ServerWebSocket<Connection>;

export interface FakeVenueOptions {
  /** 20 s at Binance. */
  readonly pingMs?: number;
  readonly heartbeatMs?: number;
  /** Seconds in the Retry-After of a 429. */
  readonly retryAfter?: number;
  /** The venue's clock. */
  readonly now?: () => number;
}

export class FakeVenue implements AsyncDisposable {
  readonly tape: FakeTape;
  /** Every message of every client, parsed, and the URL of every REST request, in order. */
  readonly received: Record<string, unknown>[] = [];
  readonly restRequests: URL[] = [];
  /** REST requests that were answered with a status of 400 or more. */
  refusals = 0;
  /** The JSON bodies of POST requests, in order. */
  readonly restBodies: unknown[] = [];
  /** Applied one by one to the next REST requests. */
  readonly restFaults: RestFault[] = [];
  /** What happens to every request, also to those for a socket. */
  outage: Outage | null = null;
  /** Answers REST requests in place of the protocol, if set; `null` leaves one to the protocol. */
  answerRest: ((url: URL) => Response | null) | null = null;
  /** Every REST request fails with 500. */
  isRestDown = false;
  /** REST requests are answered, from the tape at that time, once this has settled. */
  restGate: Promise<unknown> = Promise.resolve();
  /** Sockets that were opened. */
  sockets = 0;
  /** Clients that were disconnected because they sent too many frames. */
  expelled = 0;
  pongs = 0;
  /** Messages that were answered with a text. */
  textPings = 0;
  readonly #protocol: FakeProtocol;
  readonly #options: Required<Omit<FakeVenueOptions, 'now'>>;
  readonly #sockets = new Set<Socket>();
  readonly #timers: Timer[] = [];
  #server: Server<Connection> | null = null;
  #port = 0;
  #refusedSockets = 0;
  #ignored = 0;

  constructor(
    protocol: FakeProtocol,
    { pingMs = 20_000, heartbeatMs = 1_000, retryAfter = 0, now = Date.now }: FakeVenueOptions = {},
  ) {
    this.#protocol = protocol;
    this.tape = new FakeTape(now);
    this.#options = { pingMs, heartbeatMs, retryAfter };
    this.up();
    this.#timers.push(setInterval(() => this.#each((socket) => socket.ping('tick')), pingMs));
    this.#timers.push(
      setInterval(() => {
        this.#each((socket) => {
          for (const beat of protocol.heartbeats(socket.data.client, this.tape)) socket.send(beat);
        });
      }, heartbeatMs),
    );
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.#port}${this.#protocol.streamPath}`;
  }

  get restUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Addresses at which nothing is reached, by the reason. */
  get faultyUrls(): Readonly<
    Record<'dns' | 'tls' | 'unreachable', { readonly wsUrl: string; readonly restUrl: string }>
  > {
    return {
      dns: { wsUrl: 'wss://venue.invalid', restUrl: 'https://venue.invalid' },
      // The fake speaks no TLS.
      tls: { wsUrl: `wss://127.0.0.1:${this.#port}`, restUrl: `https://127.0.0.1:${this.#port}` },
      unreachable: { wsUrl: 'ws://127.0.0.1:1', restUrl: 'http://127.0.0.1:1' },
    };
  }

  get connections(): number {
    return this.sockets / (this.#protocol.socketsPerConnection ?? 1);
  }

  get clients(): number {
    return this.#sockets.size / (this.#protocol.socketsPerConnection ?? 1);
  }

  trade(symbol: string, count = 1, delivery: Delivery = 'sent'): readonly FakeTrade[] {
    const trades = this.tape.make(symbol, count);
    this.deliver(trades, delivery);
    return trades;
  }

  /** Sends trades that are on the tape already. */
  deliver(trades: readonly FakeTrade[], delivery: Delivery): void {
    if (delivery === 'lost') return;
    const order = delivery === 'shuffled' ? shuffled(trades) : trades;
    this.#each((socket) => {
      const { client } = socket.data;
      const frames =
        delivery === 'malformed'
          ? order.flatMap((trade) => this.#protocol.malformedTrade(client, trade) ?? [])
          : this.#protocol.trades(client, order);
      for (const frame of frames) {
        socket.send(frame);
        if (delivery === 'twice') socket.send(frame);
      }
    });
  }

  quote(symbol: string): FakeQuote {
    const quote = this.tape.quote(symbol);
    this.deliverQuote(quote);
    return quote;
  }

  deliverQuote(quote: FakeQuote): void {
    this.#each((socket) => {
      const frame = this.#protocol.quote(socket.data.client, quote);
      if (frame) socket.send(frame);
    });
  }

  /** The venue closes a position by force: a trade, and the message about it. */
  liquidate(symbol: string): FakeTrade {
    const [like] = this.trade(symbol) as readonly [FakeTrade];
    this.#each((socket) => {
      const frame = this.#protocol.liquidation?.(socket.data.client, like);
      if (frame) socket.send(frame);
    });
    return like;
  }

  sendInvalid(symbol: string): void {
    this.#each((socket) => {
      for (const frame of [...INVALID_FRAMES, ...this.#protocol.invalidMessages(symbol)]) socket.send(frame);
      socket.send(new Uint8Array([0xff, 0x00, 0xfe]));
    });
  }

  /** Sends a raw frame to all clients. */
  sendRaw(frame: string): void {
    this.#each((socket) => socket.send(frame));
  }

  cut(how: 'with close frame' | 'without close frame'): void {
    for (const socket of [...this.#sockets]) {
      if (how === 'with close frame') socket.close(1001, 'going away');
      else socket.terminate();
    }
  }

  /** Current sockets, or those on one path, stay open but get nothing more, not even pings. Later ones are served. */
  stall(path?: string): void {
    this.#each((socket) => {
      if (path === undefined || socket.data.client.url.pathname === path) socket.data.mute = true;
    });
  }

  refuse(connections: number): void {
    this.#refusedSockets = connections * (this.#protocol.socketsPerConnection ?? 1);
  }

  /** The next connections open but are never answered. */
  ignore(connections: number): void {
    this.#ignored = connections * (this.#protocol.socketsPerConnection ?? 1);
  }

  async down(): Promise<void> {
    await this.#server?.stop(true);
    this.#server = null;
    this.#sockets.clear();
  }

  up(): void {
    this.#server = Bun.serve<Connection>({
      port: this.#port,
      hostname: '127.0.0.1',
      fetch: (request, server) => this.#handle(request, server),
      websocket: {
        idleTimeout: 0,
        sendPings: false,
        // A burst must stay in the server's memory: a full buffer would drop frames, and the fake drops only on request.
        backpressureLimit: 2 ** 30,
        open: (socket) => {
          this.sockets++;
          this.#sockets.add(socket);
          this.#protocol.greet({ ...socket.data.client, send: (text) => void socket.send(text) });
        },
        message: (socket, text) => this.#receive(socket, String(text)),
        ping: (socket) => void this.#limit(socket),
        pong: (socket) => {
          this.pongs++;
          this.#limit(socket);
        },
        close: (socket) => {
          this.#sockets.delete(socket);
        },
      },
    });
    this.#port = this.#server.port ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.down();
  }

  #each(work: (socket: Socket) => void): void {
    for (const socket of this.#sockets) if (!socket.data.mute) work(socket);
  }

  #receive(socket: Socket, text: string): void {
    if (!this.#limit(socket) || socket.data.mute) return;
    const reply = this.#protocol.textReplies?.[text];
    if (reply !== undefined) {
      this.textPings++;
      socket.send(reply);
      return;
    }
    const message = JSON.parse(text) as Record<string, unknown>;
    this.received.push(message);
    this.#protocol.receive({ ...socket.data.client, send: (reply) => void socket.send(reply) }, message, this.tape);
  }

  #limit(socket: Socket): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== socket.data.second) Object.assign(socket.data, { second, frames: 0 });
    const { framesPerSecond } = this.#protocol;
    if (framesPerSecond === 0 || ++socket.data.frames <= framesPerSecond) return true;
    this.expelled++;
    socket.close(1008, 'Too many requests');
    return false;
  }

  #handle(request: Request, server: Server<Connection>): Response | Promise<Response> | undefined {
    const url = new URL(request.url);
    switch (this.outage) {
      case 'blocked region':
        return new Response('{"code":0,"msg":"Service unavailable from a restricted location"}', { status: 451 });
      case 'forbidden':
        return new Response('<html>Request blocked</html>', { status: 403 });
      case 'maintenance':
        return new Response('<html>Service Temporarily Unavailable</html>', { status: 503 });
      case 'no answer':
        return new Promise(() => undefined);
    }
    if (request.headers.get('upgrade')?.toLowerCase() === 'websocket') {
      if (this.#refusedSockets > 0) {
        this.#refusedSockets--;
        return new Response('Service Unavailable', { status: 503 });
      }
      const client = { url, subscribed: new Set<string>(), send: () => undefined };
      const data: Connection = { client, mute: this.#ignored-- > 0, frames: 0, second: 0 };
      if (this.#protocol.accepts(url) && server.upgrade(request, { data })) return undefined;
      return new Response(null, { status: 404 });
    }
    this.restRequests.push(url);
    return this.restGate.then(async () => {
      const body = request.method === 'POST' ? await request.json() : undefined;
      if (body !== undefined) this.restBodies.push(body);
      const response =
        this.answerRest?.(url) ??
        this.#protocol.rest(url, this.tape, body) ??
        new Response('Not found', { status: 404 });
      if (!response.ok) this.refusals++;
      return this.#withFault(response);
    });
  }

  #withFault(response: Response): Response | Promise<Response> {
    const fault = this.isRestDown ? '500' : this.restFaults.shift();
    switch (fault) {
      case '429':
        return new Response('{"code":-1003,"msg":"Too many requests"}', {
          status: 429,
          headers: { 'Retry-After': String(this.#options.retryAfter) },
        });
      case '403':
      case '451':
        return new Response('<html>Not available here</html>', { status: Number(fault) });
      case '500':
        return new Response('<html>Internal Server Error</html>', { status: 500 });
      case 'truncated':
        return response.text().then((text) => new Response(text.slice(0, Math.floor(text.length / 2))));
      case 'hang':
        return new Promise(() => undefined);
      default:
        return response;
    }
  }
}

const INVALID_FRAMES = [
  '',
  '{',
  'pong',
  'null',
  '[]',
  '{}',
  '42',
  '"trade"',
  '{"data":{"data":{}}}',
  '[[[[]]]]',
  '{"a":1}{"b":2}',
];

/** Reverses every block of eight: everything is out of order, but nothing by much. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const result: T[] = [];
  for (let at = 0; at < items.length; at += 8) result.push(...items.slice(at, at + 8).reverse());
  return result;
}
