// The options of a client. They are checked when it is created, so that a mistake names its option instead of failing later.
import type { Timing } from './common/timing.ts';
import type { Fetch } from './rest/request.ts';
import type { ResponseInfo } from './rest/response-info.ts';
import type { WebSocketConstructor } from './stream/web-socket.ts';

/**
 * Options of a {@link TickwireClient}.
 * @example const options: ClientOptions = { url: 'https://ticks.example.com', apiKey: 'tw_…', timeoutMs: 10_000 };
 */
export interface ClientOptions {
  /**
   * Address of the service, such as `https://ticks.example.com`. A path prefix is kept. Default: the environment variable
   * `TICKWIRE_URL`, or else `http://127.0.0.1:8080`.
   */
  readonly url?: string;
  /**
   * API key. Default: the environment variable `TICKWIRE_API_KEY`, until `account.signIn` starts a session, and only if `url` is left
   * out or has the origin of its default. Browsers have no such variables: in a page served by the service, the session cookie
   * authenticates.
   */
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

/** Throws a TypeError or RangeError that names the invalid option. Returns the address of the service, ending in a slash. */
export function checkOptions(options: ClientOptions): URL {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('TickwireClient needs an object of options, such as { url, apiKey }');
  const { url, apiKey, timeoutMs, retryWaitMs } = options;
  const base = addressOf(url);
  if (!base || !/^https?:$/.test(base.protocol))
    throw new TypeError(
      `\`url\` (TICKWIRE_URL) must be an http or https address, such as https://ticks.example.com; it is ${shown(url)}`,
    );
  // The value is not shown: it may be a key.
  if (apiKey !== undefined && !(typeof apiKey === 'string' && /^[\x21-\x7e]+$/.test(apiKey)))
    throw new TypeError('`apiKey` (TICKWIRE_API_KEY) must be a text of printable ASCII characters without spaces');
  for (const name of ['fetch', 'WebSocket', 'onResponse'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw new TypeError(
        `\`${name}\` must be a ${name === 'WebSocket' ? 'class' : 'function'}; it is ${shown(options[name])}`,
      );
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= MAX_DELAY_MS))
    throw new RangeError(`\`timeoutMs\` must be a number above 0, up to ${MAX_DELAY_MS}; it is ${shown(timeoutMs)}`);
  if (retryWaitMs !== undefined && !(typeof retryWaitMs === 'number' && retryWaitMs >= 0))
    throw new RangeError(`\`retryWaitMs\` must be a number of at least 0; it is ${shown(retryWaitMs)}`);
  return base;
}

function addressOf(url: unknown): URL | null {
  if (typeof url !== 'string') return null;
  try {
    return new URL(url.endsWith('/') ? url : `${url}/`);
  } catch {
    return null;
  }
}

/** The longest delay of a timer. */
const MAX_DELAY_MS = 2_147_483_647;

const shown = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));
