// The Tickwire client: typed REST calls, and streams that reconnect and resume by themselves.
import { type ClientOptions, checkOptions } from './client-options.ts';
import type { BarsPage } from './common/contract.ts';
import { realTiming } from './common/timing.ts';
import { AccountApi } from './rest/account-api.ts';
import { AdminApi } from './rest/admin-api.ts';
import type { BarsOptions } from './rest/history-options.ts';
import { KeysApi } from './rest/keys-api.ts';
import { buildUrl, type CallOptions, getPositioned, type RestConfig } from './rest/request.ts';
import { RestApi } from './rest/rest-api.ts';
import { type FollowBarsOptions, type FollowedBar, followBars } from './stream/follow-bars.ts';
import { Live } from './stream/live.ts';
import type { LiveOptions } from './stream/live-stream.ts';
import type { StreamKind } from './stream/messages.ts';
import { SharedConnections } from './stream/shared-connection.ts';
import { type ConnectionConfig, Stream, type StreamHandlers } from './stream/stream.ts';
import type { StreamOptions } from './stream/stream-options.ts';
import { chooseWebSocket } from './stream/web-socket.ts';

/** Channels of streams that have another name. */
const CHANNEL_OF: Partial<Record<StreamKind, string>> = { bars: 'market', footprint: 'orderflow' };
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRY_WAIT_MS = 5_000;

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
    this.#configOf = (kind) => {
      const channel = buildUrl(base, `/ws/${CHANNEL_OF[kind] ?? kind}`);
      channel.protocol = channel.protocol === 'https:' ? 'wss:' : 'ws:';
      return { url: channel.href, apiKey, WebSocket: chooseWebSocket(options.WebSocket), timing };
    };
    const shared = new SharedConnections();
    this.live = new Live((kind) => ({ ...this.#configOf(kind), shared }));
  }

  /**
   * History, then live bars, as one sequence without a gap or an overlap. A bar replaces an earlier one of the same time. After a
   * lost connection the stream resumes; if messages cannot be recovered, a gap is yielded, then the bars that changed meanwhile.
   * @example
   * for await (const bar of client.followBars('EURUSD', { timeframe: '1m', from: Date.now() - 3_600_000 }))
   *   if (bar.type !== 'gap') console.log(bar.type, bar.time, bar.close);
   */
  followBars(symbol: string, options?: FollowBarsOptions): AsyncGenerator<FollowedBar, void, undefined> {
    const path = `/api/bars/${encodeURIComponent(symbol)}`;
    const source = {
      page: (query: BarsOptions, call: CallOptions) => getPositioned<BarsPage>(this.rest, path, { ...query }, call),
      open: (live: LiveOptions<'bars'>) => this.live.bars(live),
    };
    return followBars(source, symbol, options);
  }

  /**
   * Opens a stream with callbacks. Each open stream counts as one of the streams that the tier allows.
   * @example const stream = client.stream('market', { symbols: ['EURUSD'] }, { onMessage: ({ bid }) => console.log(bid) });
   */
  stream<K extends StreamKind>(kind: K, options: StreamOptions<K>, handlers: StreamHandlers<K>): Stream<K> {
    return new Stream(this.#configOf(kind), kind, options, handlers);
  }
}
