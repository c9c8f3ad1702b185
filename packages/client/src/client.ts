// The Tickwire client: typed REST calls, and streams that reconnect and resume by themselves.
import { realTiming, type Timing } from './common/timing.ts';
import { AccountApi } from './rest/account-api.ts';
import { AdminApi } from './rest/admin-api.ts';
import { KeysApi } from './rest/keys-api.ts';
import { buildUrl, type Fetch, type RestConfig } from './rest/request.ts';
import type { ResponseInfo } from './rest/response-info.ts';
import { RestApi } from './rest/rest-api.ts';
import { Live } from './stream/live.ts';
import type { StreamKind } from './stream/messages.ts';
import { type ConnectionConfig, Stream, type StreamHandlers } from './stream/stream.ts';
import type { StreamOptions } from './stream/stream-options.ts';
import { chooseWebSocket, type WebSocketConstructor } from './stream/web-socket.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRY_WAIT_MS = 5_000;

/**
 * Options of a {@link TickwireClient}.
 * @example const options: ClientOptions = { url: 'https://ticks.example.com', apiKey: 'tw_…', timeoutMs: 10_000 };
 */
export interface ClientOptions {
  /** Address of the service, such as `https://ticks.example.com`. A path prefix is kept. */
  readonly url: string;
  /** API key. Leave it out in a page served by the service, where the session cookie authenticates. */
  readonly apiKey?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
  /** Replaces the global `WebSocket`, for example with the class of the `ws` package. */
  readonly WebSocket?: WebSocketConstructor;
  /** Timeout of each attempt of a REST call, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * Most milliseconds that one REST call may wait in total for retries after a 429 or 503 with `Retry-After`. Default
   * 5,000; 0 disables retries. Only calls that are safe to repeat are retried; a longer wait is thrown immediately.
   */
  readonly retryWaitMs?: number;
  /** Called for every REST response, including errors, before the call settles. */
  readonly onResponse?: (info: ResponseInfo) => void;
  /** Clock, timers and random numbers. Replace them in tests. */
  readonly timing?: Timing;
}

/**
 * Client of a Tickwire service. REST calls are methods; streams are opened with `live` or `stream`.
 * @example const client = new TickwireClient({ url: 'http://127.0.0.1:8080', apiKey: 'tw_…' });
 */
export class TickwireClient extends RestApi {
  /** Streams to loop over. */
  readonly live: Live;
  /** The account: sign-up, sign-in, sessions, password. */
  readonly account: AccountApi;
  /** API keys of the account. */
  readonly keys: KeysApi;
  /** Operator calls. */
  readonly admin: AdminApi;
  readonly #configOf: (kind: StreamKind) => ConnectionConfig;

  /** Creates a client. It opens no connection until a method is called. */
  constructor(options: ClientOptions) {
    const { url, apiKey, timing = realTiming } = options;
    const base = new URL(url.endsWith('/') ? url : `${url}/`);
    const rest: RestConfig = {
      base,
      apiKey,
      // Wrapped, because a browser's fetch accepts no `this` except the window.
      fetch: options.fetch ?? ((address, init) => fetch(address, init)),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      retryPolicy: { maxWaitMs: options.retryWaitMs ?? DEFAULT_RETRY_WAIT_MS, timing },
      onResponse: options.onResponse,
    };
    super(rest);
    this.account = new AccountApi(rest);
    this.keys = new KeysApi(rest);
    this.admin = new AdminApi(rest);
    this.#configOf = (kind) => {
      const channel = buildUrl(base, `/ws/${kind === 'bars' ? 'market' : kind}`);
      channel.protocol = channel.protocol === 'https:' ? 'wss:' : 'ws:';
      return { url: channel.href, apiKey, WebSocket: chooseWebSocket(options.WebSocket), timing };
    };
    this.live = new Live(this.#configOf);
  }

  /**
   * Opens a stream with callbacks. Each open stream counts as one of the streams that the tier allows.
   * @example const stream = client.stream('market', { symbols: ['EURUSD'] }, { onMessage: ({ bid }) => console.log(bid) });
   */
  stream<K extends StreamKind>(kind: K, options: StreamOptions<K>, handlers: StreamHandlers<K>): Stream<K> {
    return new Stream(this.#configOf(kind), kind, options, handlers);
  }
}
