// Typed REST calls, and streams with callbacks: what a page needs that must stay small.
import { type ClientOptions, checkOptions } from './client-options.ts';
import { realTiming } from './common/timing.ts';
import { AccountApi, AdminApi, KeysApi, LinksApi, RestApi } from './rest/api.ts';
import { type Credentials, keyOnly } from './rest/credentials.ts';
import { buildUrl, type RestConfig } from './rest/request.ts';
import type { StreamKind } from './stream/messages.ts';
import { SharedConnections } from './stream/shared-connection.ts';
import { type ConnectionConfig, Stream, type StreamHandlers } from './stream/stream.ts';
import type { StreamOptions } from './stream/stream-options.ts';
import { chooseWebSocket } from './stream/web-socket.ts';

/** Channels of streams that have another name. */
const CHANNEL_OF: Partial<Record<StreamKind, string>> = { bars: 'market', footprint: 'orderflow' };
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRY_WAIT_MS = 5_000;
const UPGRADE_REQUIRED = 426;
const TOO_MANY_REQUESTS = 429;

/**
 * REST calls and streams with callbacks, for pages. {@link TickwireClient} adds streams to loop over, history that continues live, files,
 * the data feed of TradingView charts, and what programs need: sessions, the environment, and warnings.
 * @example const client = new CoreClient({ url: 'http://127.0.0.1:8080', apiKey: 'tw_…' });
 */
export class CoreClient extends RestApi {
  /** The account: sign-up, sign-in, sessions, password. */
  readonly account: AccountApi;
  /** API keys of the account. */
  readonly keys: KeysApi;
  /** Addresses that read one path without a key. */
  readonly links: LinksApi;
  /** Operator calls. */
  readonly admin: AdminApi;
  /** @internal */
  protected readonly configOf: (kind: StreamKind) => ConnectionConfig;

  /**
   * Creates a client. It opens no connection until a method is called. Throws a TypeError or RangeError that names an invalid
   * option.
   */
  constructor(
    options: ClientOptions & { readonly url: string },
    credentialsFor: (base: URL) => Credentials = () => keyOnly(options.apiKey),
  ) {
    const base = checkOptions(options);
    const credentials = credentialsFor(base);
    const { timing = realTiming } = options;
    const rest: RestConfig = {
      base,
      credentials,
      // Wrapped, because a browser's fetch accepts no `this` except the window.
      fetch: options.fetch ?? ((address, init) => fetch(address, init)),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      retryPolicy: { maxWaitMs: options.retryWaitMs ?? DEFAULT_RETRY_WAIT_MS, timing },
      onResponse: options.onResponse,
    };
    super(rest);
    this.account = new AccountApi(rest);
    this.keys = new KeysApi(rest);
    this.links = new LinksApi(rest);
    this.admin = new AdminApi(rest);
    const { replay } = credentials;
    const urlOf = (path: string): string => buildUrl(base, path, { replay }).href.replace(/^http/, 'ws');
    const shared = new SharedConnections({ url: urlOf('/ws'), isOffered: () => isOffered(rest) });
    this.configOf = (kind) => {
      const url = urlOf(`/ws/${CHANNEL_OF[kind] ?? kind}`);
      return { url, credentials, WebSocket: chooseWebSocket(options.WebSocket), timing, shared };
    };
  }

  /**
   * Opens a stream with callbacks. Streams of a client share a connection if they have different symbols, kinds or timeframes;
   * each connection counts as one of the streams that the tier allows.
   * @example const stream = client.stream('market', { symbols: ['EURUSD'] }, { onMessage: ({ bid }) => console.log(bid) });
   */
  stream<K extends StreamKind>(kind: K, options: StreamOptions<K>, handlers: StreamHandlers<K>): Stream<K> {
    return new Stream(this.configOf(kind), kind, options, handlers);
  }
}

/** Whether the service has a connection for all channels. It answers a request without a WebSocket handshake with this status. */
async function isOffered({ base, fetch }: RestConfig): Promise<boolean | null> {
  try {
    const { status } = await fetch(buildUrl(base, '/ws').href, {});
    if (status === UPGRADE_REQUIRED) return true;
    return status === TOO_MANY_REQUESTS || status >= 500 ? null : false;
  } catch {
    return null;
  }
}
