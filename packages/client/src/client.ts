// The Tickwire client: typed REST calls, and streams that come back by themselves and go on where they were.
import { AccountCalls } from './account-calls.ts';
import { AdminCalls } from './admin-calls.ts';
import type { AnswerInfo } from './answer-info.ts';
import { KeyCalls } from './key-calls.ts';
import { Live } from './live.ts';
import { addressOf, type Fetch, type RestOptions } from './rest.ts';
import { RestCalls } from './rest-calls.ts';
import { chooseSocket, type SocketConstructor } from './socket.ts';
import { Stream, type StreamHandlers, type StreamSetup } from './stream.ts';
import type { StreamOptions } from './terms.ts';
import { realTiming, type Timing } from './timing.ts';
import type { StreamKind } from './wire.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRY_WAIT_MS = 5_000;

export interface ClientOptions {
  /** Where the service is, such as `https://ticks.example.com`; a path prefix is kept. */
  readonly url: string;
  /** Left out in a page of the service itself, where the session's cookie says who calls. */
  readonly apiKey?: string;
  readonly fetch?: Fetch;
  /** In place of the runtime's own. */
  readonly WebSocket?: SocketConstructor;
  /** Limit of a single REST call, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * How long a call may wait in all, in milliseconds, when the service answers 429 or 503 and says with `Retry-After` when to
   * come back. Only calls that may be sent twice do. Default 5,000; 0 for not at all. A longer wait is
   * thrown at once: what to do until then is for the caller to say.
   */
  readonly retryWaitMs?: number;
  /** Allowance left and source of the data, from the headers of every answer. */
  readonly onAnswer?: (info: AnswerInfo) => void;
  readonly timing?: Timing;
}

export class TickwireClient extends RestCalls {
  /** Streams to loop over. */
  readonly live: Live;
  /** Signing up, in and out, and what comes with it. */
  readonly account: AccountCalls;
  /** API keys of the account that calls. */
  readonly keys: KeyCalls;
  /** For the operator. */
  readonly admin: AdminCalls;
  readonly #setupOf: (kind: StreamKind) => StreamSetup;

  constructor(options: ClientOptions) {
    const { url, apiKey, timing = realTiming } = options;
    const base = new URL(url.endsWith('/') ? url : `${url}/`);
    const rest: RestOptions = {
      base,
      apiKey,
      // Called through a wrapper: a browser's fetch refuses any `this` but the window.
      fetch: options.fetch ?? ((address, init) => fetch(address, init)),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      patience: { waitMs: options.retryWaitMs ?? DEFAULT_RETRY_WAIT_MS, timing },
      onAnswer: options.onAnswer,
    };
    super(rest);
    this.account = new AccountCalls(rest);
    this.keys = new KeyCalls(rest);
    this.admin = new AdminCalls(rest);
    this.#setupOf = (kind) => {
      const address = addressOf(base, `/ws/${kind === 'bars' ? 'market' : kind}`);
      address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
      return { url: address.href, apiKey, WebSocket: chooseSocket(options.WebSocket), timing };
    };
    this.live = new Live(this.#setupOf);
  }

  /** A stream with callbacks, on a connection of its own; each open one counts as a stream of the tier. */
  stream<K extends StreamKind>(kind: K, options: StreamOptions<K>, handlers: StreamHandlers<K>): Stream<K> {
    return new Stream(this.#setupOf(kind), kind, options, handlers);
  }
}
