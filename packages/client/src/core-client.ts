// Typed REST calls, and streams with callbacks: what a page needs that must stay small.
import { type ClientOptions, checkOptions } from './client-options.ts';
import { realTiming } from './common/timing.ts';
import { AccountApi } from './rest/account-api.ts';
import { AdminApi } from './rest/admin-api.ts';
import { KeysApi } from './rest/keys-api.ts';
import { buildUrl, type RestConfig } from './rest/request.ts';
import { RestApi } from './rest/rest-api.ts';
import type { StreamKind } from './stream/messages.ts';
import { type ConnectionConfig, Stream, type StreamHandlers } from './stream/stream.ts';
import type { StreamOptions } from './stream/stream-options.ts';
import { chooseWebSocket } from './stream/web-socket.ts';

/** Channels of streams that have another name. */
const CHANNEL_OF: Partial<Record<StreamKind, string>> = { bars: 'market', footprint: 'orderflow' };
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRY_WAIT_MS = 5_000;

/**
 * REST calls and streams with callbacks. {@link TickwireClient} adds streams to loop over, and history that continues live.
 * @example const client = new CoreClient({ url: 'http://127.0.0.1:8080', apiKey: 'tw_…' });
 */
export class CoreClient extends RestApi {
  /** The account: sign-up, sign-in, sessions, password. */
  readonly account: AccountApi;
  /** API keys of the account. */
  readonly keys: KeysApi;
  /** Operator calls. */
  readonly admin: AdminApi;
  /** @internal */
  protected readonly configOf: (kind: StreamKind) => ConnectionConfig;

  /**
   * Creates a client. It opens no connection until a method is called. Throws a TypeError or RangeError that names an invalid
   * option.
   */
  constructor(options: ClientOptions) {
    const base = checkOptions(options);
    const { apiKey, timing = realTiming } = options;
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
    this.configOf = (kind) => {
      const channel = buildUrl(base, `/ws/${CHANNEL_OF[kind] ?? kind}`);
      channel.protocol = channel.protocol === 'https:' ? 'wss:' : 'ws:';
      return { url: channel.href, apiKey, WebSocket: chooseWebSocket(options.WebSocket), timing };
    };
  }

  /**
   * Opens a stream with callbacks. Each open stream counts as one of the streams that the tier allows.
   * @example const stream = client.stream('market', { symbols: ['EURUSD'] }, { onMessage: ({ bid }) => console.log(bid) });
   */
  stream<K extends StreamKind>(kind: K, options: StreamOptions<K>, handlers: StreamHandlers<K>): Stream<K> {
    return new Stream(this.configOf(kind), kind, options, handlers);
  }
}
