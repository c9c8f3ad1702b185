// The Tickwire client: typed REST calls, and streams that reconnect and resume by themselves.
import type { ClientOptions } from './client-options.ts';
import type { BarsPage, EvidenceLine, OhlcvBar, TicksPage } from './common/contract.ts';
import { CoreClient } from './core-client.ts';
import { withEnvironment } from './environment.ts';
import { UdfApi } from './rest/api.ts';
import { type Credentials, inReplay } from './rest/credentials.ts';
import type { BarsOptions, EvidenceOptions, TicksOptions } from './rest/options.ts';
import { type CallOptions, get, getLines, getPositioned, getStream } from './rest/request.ts';
import { Session } from './rest/session.ts';
import type { BarHistoryOptions, Download, DownloadOptions, EvidenceDay } from './rest/special-types.ts';
import { warnOfFailuresAndEnd } from './stream/failure-warning.ts';
import { type FollowBarsOptions, type FollowedBar, followBars } from './stream/follow-bars.ts';
import { type FollowedTick, type FollowTicksOptions, followTicks } from './stream/follow-ticks.ts';
import { Live } from './stream/live.ts';
import type { LiveOptions } from './stream/live-stream.ts';
import type { StreamKind } from './stream/messages.ts';
import type { Stream, StreamHandlers } from './stream/stream.ts';
import type { StreamOptions } from './stream/stream-options.ts';

const DEFAULT_PAGE_SIZE = 5_000;

/**
 * Client of a Tickwire service. REST calls are methods; streams are opened with `live` or `stream`.
 * @example const client = new TickwireClient({ url: 'https://ticks.example.com', apiKey: 'tw_…' });
 */
export class TickwireClient extends CoreClient {
  /** Streams to loop over. */
  readonly live: Live;
  /** The data feed of TradingView charts, for charts of your own. */
  readonly udf: UdfApi;
  readonly #options: ClientOptions;

  /**
   * Creates a client. It opens no connection until a method is called. Throws a TypeError or RangeError that names an invalid
   * option.
   */
  constructor(options?: ClientOptions);
  /** @internal */
  constructor(options: ClientOptions, credentials: Credentials);
  constructor(options: ClientOptions = {}, credentials?: Credentials) {
    const known = withEnvironment(options);
    super(known, ({ origin }) => credentials ?? new Session(origin, known.apiKey, known.apiKey !== options.apiKey));
    this.#options = options;
    this.live = new Live(this.configOf);
    this.udf = new UdfApi(this.rest);
  }

  /**
   * A client with the same options and key that reads a replay session: its calls are answered as of the clock of the session, and its
   * streams follow it. What has no past is refused with the code `not_in_replay`. Streams with a key need a runtime that can send it
   * in the handshake, as Node, Bun and Deno do.
   * @example
   * const { id } = await client.createReplay({ symbols: ['EURUSD'], from: '2026-03-02T08:00:00Z' });
   * const replay = client.replay(id);
   * console.log((await replay.quote('EURUSD')).bid);
   * await client.deleteReplay(id);
   */
  replay(id: string): TickwireClient {
    return new TickwireClient(this.#options, inReplay(this.rest.credentials, id));
  }

  /**
   * Bars or ticks of a whole range as a file: CSV, NDJSON or Parquet. Rows count against the allowance of the tier.
   * @example
   * const file = await client.download('EURUSD', { format: 'csv', interval: '1h', from: '2026-01-01' });
   * console.log(new TextDecoder().decode(await file.bytes()));
   */
  async download(symbol: string, options: DownloadOptions, call?: CallOptions): Promise<Download> {
    const { data = 'bars', ...query } = options;
    const path = `/api/${data}/${encodeURIComponent(symbol)}`;
    const response = await getStream(this.rest, path, { ...query }, '*/*', call);
    return {
      contentType: response.headers.get('Content-Type') ?? 'application/octet-stream',
      stream: response.body ?? new Blob([]).stream(),
      bytes: async () => new Uint8Array(await response.arrayBuffer()),
    };
  }

  /**
   * All bars of a range, fetched page by page as the loop needs them: with `from` the oldest first, without it the newest first,
   * back to the first bar.
   * @example for await (const { time, close } of client.barHistory('EURUSD', { interval: '1d', from: '2020-01-01' })) console.log(time, close);
   */
  async *barHistory(
    symbol: string,
    options: BarHistoryOptions = {},
    call?: CallOptions,
  ): AsyncGenerator<OhlcvBar, void, undefined> {
    const { pageSize = DEFAULT_PAGE_SIZE, ...range } = options;
    let cursor: string | null | undefined;
    do {
      const query = { ...range, limit: pageSize, ...(cursor && { cursor }) };
      const { items, next } = await get<BarsPage>(this.rest, `/api/bars/${encodeURIComponent(symbol)}`, query, call);
      yield* range.from === undefined ? items.reverse() : items;
      cursor = next;
    } while (cursor !== null);
  }

  /**
   * The ticks of one instrument on one UTC day, as they arrive. The timeout of the call is that of the first byte.
   * @example
   * const { sealed, lines } = await client.evidence('2026-03-02', 'XAUUSD');
   * for await (const line of lines) if ('bid' in line) console.log(line.seq, line.bid);
   */
  async evidence(day: string, symbol: string, options: EvidenceOptions = {}, call?: CallOptions): Promise<EvidenceDay> {
    const path = `/api/evidence/${encodeURIComponent(day)}/${encodeURIComponent(symbol)}`;
    const { headers, lines } = await getLines<EvidenceLine>(this.rest, path, { ...options }, call);
    const sha256 = headers.get('Evidence-SHA256');
    return { sealed: sha256 !== null, sha256, lines };
  }

  /**
   * Opens a stream with callbacks. Streams of a client share a connection if they have different symbols, kinds or timeframes;
   * each connection counts as one of the streams that the tier allows.
   * @example const stream = client.stream('market', { symbols: ['EURUSD'] }, { onMessage: ({ bid }) => console.log(bid) });
   */
  override stream<K extends StreamKind>(kind: K, options: StreamOptions<K>, handlers: StreamHandlers<K>): Stream<K> {
    const onState = handlers.onState ?? warnOfFailuresAndEnd(kind, this.configOf(kind).url);
    return super.stream(kind, options, { ...handlers, onState });
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
   * Recorded quotes, then live ticks, as one sequence without a gap or an overlap. After a lost connection the stream resumes; if
   * messages cannot be recovered, a gap is yielded.
   * @example
   * for await (const tick of client.followTicks('EURUSD', { from: Date.now() - 60_000 }))
   *   if (tick.type !== 'gap') console.log(tick.type, tick.time_ms, tick.bid, tick.ask);
   */
  followTicks(symbol: string, options?: FollowTicksOptions): AsyncGenerator<FollowedTick, void, undefined> {
    const path = `/api/ticks/${encodeURIComponent(symbol)}`;
    const source = {
      page: (query: TicksOptions, call: CallOptions) => getPositioned<TicksPage>(this.rest, path, { ...query }, call),
      open: (live: LiveOptions<'market'>) => this.live.ticks(live),
    };
    return followTicks(source, symbol, options);
  }
}
