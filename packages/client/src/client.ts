// The Tickwire client: typed REST calls and streams that come back by themselves.
import type {
  AiBrief,
  AiModelList,
  AiSentiment,
  AiSentimentRequest,
  Channel,
  LogHead,
  LogPage,
  NewsCalibration,
  PublisherDetail,
  PublisherList,
  SessionStatistics,
  SignalDetail,
  SignalProof,
  SignalRequest,
  SymbolQuote,
  Usage,
} from '@tickwire/contract';
import type { AnswerInfo } from './answer-info.ts';
import type { SocketConstructor } from './connection.ts';
import { addressOf, ask, type CallOptions, type Fetch, get, type PostOptions, post, type RestOptions } from './rest.ts';
import { Stream, type StreamHandlers, type StreamOptions } from './stream.ts';
import { realTiming, type Timing } from './timing.ts';
import type {
  ActiveSignal,
  ClosedSignal,
  InstrumentList,
  LogOptions,
  MarketHistory,
  MarketOptions,
  NewsDetailList,
  NewsList,
  NewsOptions,
  QuoteList,
  SignalList,
  SignalOptions,
} from './wire.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export interface ClientOptions {
  /** Where the service is, such as `https://ticks.example.com`; a path prefix is kept. */
  readonly url: string;
  readonly apiKey: string;
  readonly fetch?: Fetch;
  /** Needed where the runtime has no WebSocket of its own (Node before 22): the `ws` package's fits. */
  readonly WebSocket?: SocketConstructor;
  /** Limit of a single REST call, in milliseconds. */
  readonly timeoutMs?: number;
  /** Allowance left and source of the data, from the headers of every answer. */
  readonly onAnswer?: (info: AnswerInfo) => void;
  readonly timing?: Timing;
}

export class TickwireClient {
  readonly #rest: RestOptions;
  readonly #WebSocket: SocketConstructor | undefined;
  readonly #timing: Timing;

  constructor(options: ClientOptions) {
    this.#rest = {
      base: new URL(options.url.endsWith('/') ? options.url : `${options.url}/`),
      apiKey: options.apiKey,
      // Called through a wrapper: a browser's fetch refuses any `this` but the window.
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      onAnswer: options.onAnswer,
    };
    this.#WebSocket = options.WebSocket ?? globalThis.WebSocket;
    this.#timing = options.timing ?? realTiming;
  }

  symbols(call?: CallOptions): Promise<InstrumentList> {
    return get(this.#rest, '/api/symbols', {}, call);
  }

  market(symbol: string, options: MarketOptions = {}, call?: CallOptions): Promise<MarketHistory> {
    return get(this.#rest, `/api/market/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  quote(symbol: string, call?: CallOptions): Promise<SymbolQuote> {
    return get(this.#rest, `/api/market/${encodeURIComponent(symbol)}/quote`, {}, call);
  }

  /** All instruments that have a quote, or those named. */
  quotes(symbols?: readonly string[], call?: CallOptions): Promise<QuoteList> {
    return get(this.#rest, '/api/quotes', { symbols }, call);
  }

  signals(options: SignalOptions = {}, call?: CallOptions): Promise<SignalList> {
    return get(this.#rest, '/api/signals', { ...options }, call);
  }

  signal(id: string, call?: CallOptions): Promise<SignalDetail> {
    return get(this.#rest, signalPath(id), {}, call);
  }

  /** The records of the log that prove the signal. */
  signalProof(id: string, call?: CallOptions): Promise<SignalProof> {
    return get(this.#rest, `${signalPath(id)}/proof`, {}, call);
  }

  /** Needs a key with the scope `publish`. Sent again by itself, once, where no answer came: that publishes nothing twice. */
  publishSignal(request: SignalRequest, options?: PostOptions): Promise<ActiveSignal> {
    return post(this.#rest, '/api/signals', request, options);
  }

  /** Closes a signal of your own at the market; one whose entry is pending is withdrawn. */
  closeSignal(id: string, options?: PostOptions): Promise<ClosedSignal> {
    return post(this.#rest, `${signalPath(id)}/close`, undefined, options);
  }

  /** A page of the signal log; `next` of it is the `after` of the following one. */
  signalLog(options: LogOptions = {}, call?: CallOptions): Promise<LogPage> {
    return get(this.#rest, '/api/signals/log', { ...options }, call);
  }

  signalHead(call?: CallOptions): Promise<LogHead> {
    return get(this.#rest, '/api/signals/head', {}, call);
  }

  /** Track records, the best first. */
  publishers(options: { readonly limit?: number } = {}, call?: CallOptions): Promise<PublisherList> {
    return get(this.#rest, '/api/publishers', { ...options }, call);
  }

  /** By display name or id. */
  publisher(name: string, call?: CallOptions): Promise<PublisherDetail> {
    return get(this.#rest, `/api/publishers/${encodeURIComponent(name)}`, {}, call);
  }

  /** Newest first. */
  news(options: NewsOptions & { readonly detail: true }, call?: CallOptions): Promise<NewsDetailList>;
  news(options?: NewsOptions, call?: CallOptions): Promise<NewsList>;
  news(options: NewsOptions = {}, call?: CallOptions): Promise<NewsList> {
    return get(this.#rest, '/api/news', { ...options }, call);
  }

  /** How the market moved after the news, by model, category and label. */
  newsCalibration(call?: CallOptions): Promise<NewsCalibration> {
    return get(this.#rest, '/api/news/calibration', {}, call);
  }

  /** The sentiment of a text. An answer is an AI call of the account. */
  aiSentiment(request: AiSentimentRequest, call?: CallOptions): Promise<AiSentiment> {
    return ask(this.#rest, '/api/ai/sentiment', request, call);
  }

  /** A short brief on an instrument, every figure of it cited. An answer is an AI call of the account. */
  aiBrief(symbol: string, call?: CallOptions): Promise<AiBrief> {
    return get(this.#rest, `/api/ai/brief/${encodeURIComponent(symbol)}`, {}, call);
  }

  /** Not an AI call. */
  aiModels(call?: CallOptions): Promise<AiModelList> {
    return get(this.#rest, '/api/ai/models', {}, call);
  }

  session(call?: CallOptions): Promise<SessionStatistics> {
    return get(this.#rest, '/api/session', {}, call);
  }

  usage(call?: CallOptions): Promise<Usage> {
    return get(this.#rest, '/api/usage', {}, call);
  }

  /** Subscribes on a connection of its own; each open one counts as a stream of the tier. */
  stream<C extends Channel>(channel: C, options: StreamOptions<C>, handlers: StreamHandlers<C>): Stream<C> {
    if (!this.#WebSocket) throw new TypeError('This runtime has no WebSocket: pass one as the `WebSocket` option');
    const address = addressOf(this.#rest.base, `/ws/${channel}`);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const { apiKey } = this.#rest;
    const setup = { url: address.href, apiKey, WebSocket: this.#WebSocket, timing: this.#timing };
    return new Stream(setup, options, handlers);
  }
}

const signalPath = (id: string): string => `/api/signals/${encodeURIComponent(id)}`;
