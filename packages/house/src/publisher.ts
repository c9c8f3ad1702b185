// A publisher: one strategy with its own account and key. Every minute it scans its instruments and publishes what the
// strategy proposes. It keeps no state between scans and reads its active signals from the service, so it survives restarts.
import type { FailureCode, Instrument, OhlcvBar, TickwireClient, Timing } from '@tickwire/client';
import { TickwireError } from '@tickwire/client';
import { mapConcurrently } from './map-concurrently.ts';
import { STRATEGIES, type StrategyName } from './strategies/index.ts';
import type { TradeIdea } from './strategies/strategy.ts';

const MINUTE_MS = 60_000;
/** The service closes a minute's bars up to a second after the end of the minute. */
const SCAN_DELAY_MS = 1_000;
/** Random extra delay, so that publishers do not send their requests in one burst. */
const JITTER_MS = 2_000;
const MAX_SYMBOLS = 12;
const MAX_ACTIVE_SIGNALS = 6;
const BARS = 60;
const MAX_CONCURRENT_REQUESTS = 4;
/** An older close is no evidence about the current market: trading was closed, or the feed was interrupted. */
const MAX_CLOSE_AGE_MS = 3 * MINUTE_MS;
const DEFAULT_RETRY_SECONDS = 60;
const MAX_RETRY_SECONDS = 600;

export interface PublisherFailure {
  readonly strategy: StrategyName;
  /** `null` if all symbols are affected. */
  readonly symbol: string | null;
  readonly error: unknown;
}

export interface PublisherCounts {
  readonly published: number;
  /** Signals that the service rejected, by error code. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface PublisherOptions {
  readonly client: TickwireClient;
  readonly strategy: StrategyName;
  readonly onError: (failure: PublisherFailure) => void;
  readonly timing?: Timing;
}

interface Decision {
  readonly symbol: string;
  readonly idea: TradeIdea;
  /** The last closed bar, on which the decision is based. */
  readonly bar: OhlcvBar;
}

export class StrategyPublisher {
  readonly #client: TickwireClient;
  readonly #strategy: StrategyName;
  readonly #onError: (failure: PublisherFailure) => void;
  readonly #timing: Timing;
  readonly #stopping = new AbortController();
  /** Options of read requests, which `stop` aborts. It waits for publications instead. */
  readonly #readOptions = { signal: this.#stopping.signal };
  readonly #refused = new Map<string, number>();
  #published = 0;
  #running: Promise<void> | null = null;
  #wake = (): void => {};

  constructor({ client, strategy, onError, timing = wallClock }: PublisherOptions) {
    this.#client = client;
    this.#strategy = strategy;
    this.#onError = onError;
    this.#timing = timing;
  }

  get counts(): PublisherCounts {
    return { published: this.#published, refused: Object.fromEntries(this.#refused) };
  }

  /** Scans immediately, then every minute. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when no request is in flight any more. A stopped publisher cannot be started again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      let waitMs: number | null = null;
      try {
        await this.#scan();
      } catch (error) {
        if (this.#stopped) return;
        if (isRateLimited(error)) waitMs = retryAfterMs(error.retryAfterSeconds);
        else this.#onError({ strategy: this.#strategy, symbol: null, error });
      }
      if (!this.#stopped) await this.#sleep(waitMs ?? msUntilNextScan(this.#timing));
    }
  }

  async #scan(): Promise<void> {
    const { account } = await this.#client.usage(this.#readOptions);
    const { items: active } = await this.#client.signals(
      { status: 'active', user: account, limit: 500 },
      this.#readOptions,
    );
    let remaining = MAX_ACTIVE_SIGNALS - active.length;
    if (remaining <= 0) return;
    const taken = new Set(active.map(({ symbol }) => symbol));
    const { items: instruments } = await this.#client.symbols(this.#readOptions);
    const free = chooseSymbols(instruments).filter((symbol) => !taken.has(symbol));
    const decisions = await mapConcurrently(this.#rotated(free), MAX_CONCURRENT_REQUESTS, (symbol) =>
      this.#handleErrors(symbol, () => this.#decide(symbol)),
    );
    // One after another: each publication reduces what remains for the next.
    for (const decision of decisions) {
      if (!decision) continue;
      if (remaining === 0 || this.#stopped) return;
      if (await this.#handleErrors(decision.symbol, () => this.#publish(decision))) remaining--;
    }
  }

  /** Starts at a random symbol, so that the first symbols of the catalogue are not always preferred. */
  #rotated(symbols: readonly string[]): string[] {
    const first = Math.floor(this.#timing.random() * symbols.length);
    return [...symbols.slice(first), ...symbols.slice(0, first)];
  }

  /** Reports an error that affects one symbol, so that the scan continues with the others. */
  async #handleErrors<T>(symbol: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (affectsAllSymbols(error)) throw error;
      if (isExpectedRejection(error)) this.#refused.set(error.code, (this.#refused.get(error.code) ?? 0) + 1);
      else this.#onError({ strategy: this.#strategy, symbol, error });
      return null;
    }
  }

  async #decide(symbol: string): Promise<Decision | null> {
    // One more than needed: the last bar may still be forming.
    const options = { timeframe: '1m', bars: BARS + 1 } as const;
    const { ohlcv, quote } = await this.#client.market(symbol, options, this.#readOptions);
    const now = this.#timing.now();
    const bars = ohlcv.filter(({ time }) => Date.parse(time) < startOfMinute(now)).slice(-BARS);
    const bar = bars.at(-1);
    if (!quote || !bar || now - endOf(bar) > MAX_CLOSE_AGE_MS) return null;
    const idea = STRATEGIES[this.#strategy]({ bars, quote });
    return idea && { symbol, idea, bar };
  }

  async #publish({ symbol, idea, bar }: Decision): Promise<true> {
    const { expires_in_seconds, ...signal } = idea;
    // Counted from the end of the bar, not from now, so that a repetition within the minute sends the same request.
    const expires_at = new Date(endOf(bar) + expires_in_seconds * 1000).toISOString();
    const idempotencyKey = `${this.#strategy}:${symbol}:${bar.time}`;
    await this.#client.publishSignal({ symbol, ...signal, expires_at }, { idempotencyKey });
    this.#published++;
    return true;
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#timing.setTimeout(resolve, ms);
      this.#wake = () => {
        this.#timing.clearTimeout(timer);
        resolve();
      };
    });
  }
}

const endOf = ({ time }: OhlcvBar): number => Date.parse(time) + MINUTE_MS;

/** Milliseconds from a `Retry-After` in seconds, limited to between 1 second and 10 minutes. */
const retryAfterMs = (seconds: number | null): number =>
  Math.min(MAX_RETRY_SECONDS, Math.max(1, seconds ?? DEFAULT_RETRY_SECONDS)) * 1000;

/** Rejections that are part of normal operation; the next minute may be different. */
const EXPECTED_REJECTIONS: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'market_closed',
  'no_quote',
  'stale_quote',
  'price_unconfirmed',
  'level_reached',
  'levels_out_of_order',
  'distance_out_of_range',
  'entry_too_far',
  'finer_than_digits',
  'expiry_out_of_range',
  'too_many_signals',
  'too_many_signals_of_symbol',
  // Published in the same minute before a restart, at another price.
  'idempotency_conflict',
  // Removed from the catalogue since it was read.
  'symbol_not_found',
]);

const isExpectedRejection = (error: unknown): error is TickwireError =>
  error instanceof TickwireError && EXPECTED_REJECTIONS.has(error.code);

const isRateLimited = (error: unknown): error is TickwireError =>
  error instanceof TickwireError && error.status === 429;

/** No response, or a rejected key: requests for other symbols would fail, too. */
const affectsAllSymbols = (error: unknown): boolean =>
  !(error instanceof TickwireError) || [0, 401, 403, 429].includes(error.status);

/** `now` is Unix time, because scans follow the minutes of the wall clock. */
const wallClock: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

const startOfMinute = (time: number): number => time - (time % MINUTE_MS);

const msUntilNextScan = ({ now, random }: Timing): number =>
  startOfMinute(now()) + MINUTE_MS - now() + SCAN_DELAY_MS + Math.floor(random() * JITTER_MS);

/** Chooses instruments to trade: one of each type in turn, in the order of the catalogue. */
export function chooseSymbols(instruments: readonly Pick<Instrument, 'symbol' | 'type'>[]): string[] {
  const byType = Map.groupBy(instruments, ({ type }) => type);
  const longest = Math.max(0, ...[...byType.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => [...byType.values()].flatMap((each) => each[turn]?.symbol ?? []))
    .flat()
    .slice(0, MAX_SYMBOLS);
}
