// A publisher: one strategy with a key of its own. Every minute it looks at its instruments and publishes what its strategy
// says. It knows nothing from the minute before: what it has running it asks the service, so a restart changes nothing.
import type { OhlcvBar, TickwireClient, Timing } from '@tickwire/client';
import { chooseSymbols } from './choose-symbols.ts';
import { fewAtATime } from './few-at-a-time.ts';
import { concernsAll, isRateLimited, isRefusal } from './refusals.ts';
import { STRATEGIES, type StrategyName } from './strategies/index.ts';
import type { Idea } from './strategy.ts';
import { minuteOf, untilNextLook, wallTiming } from './timing.ts';

export const MOST_ACTIVE = 6;
const BARS = 60;
const REQUESTS_AT_A_TIME = 4;
const MINUTE_MS = 60_000;
/** A close from before that says nothing of now: the market was shut, or the feed away. */
const OLDEST_CLOSE_MS = 3 * MINUTE_MS;
const LONGEST_WAIT_S = 600;

export interface Trouble {
  readonly strategy: StrategyName;
  /** null where it concerns all of them. */
  readonly symbol: string | null;
  readonly error: unknown;
}

export interface Counts {
  readonly published: number;
  /** Signals the service would not take, by its code. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface PublisherOptions {
  readonly client: TickwireClient;
  readonly strategy: StrategyName;
  readonly onTrouble: (trouble: Trouble) => void;
  readonly timing?: Timing;
}

interface Decision {
  readonly symbol: string;
  readonly idea: Idea;
  /** The bar it was decided on. */
  readonly bar: OhlcvBar;
}

export class Publisher {
  readonly #client: TickwireClient;
  readonly #strategy: StrategyName;
  readonly #onTrouble: (trouble: Trouble) => void;
  readonly #timing: Timing;
  readonly #stopping = new AbortController();
  /** What is only read may be broken off; what is being published is waited for. */
  readonly #reading = { signal: this.#stopping.signal };
  readonly #refused = new Map<string, number>();
  #published = 0;
  #running: Promise<void> | null = null;
  #wake = (): void => {};

  constructor({ client, strategy, onTrouble, timing = wallTiming }: PublisherOptions) {
    this.#client = client;
    this.#strategy = strategy;
    this.#onTrouble = onTrouble;
    this.#timing = timing;
  }

  get counts(): Counts {
    return { published: this.#published, refused: Object.fromEntries(this.#refused) };
  }

  /** Looks at once, then every minute. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends when nothing of it is under way any more. It cannot be started again. */
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
      let wait: number | null = null;
      try {
        await this.#look();
      } catch (error) {
        if (this.#stopped) return;
        if (isRateLimited(error)) wait = waitOf(error.retryAfterSeconds);
        else this.#onTrouble({ strategy: this.#strategy, symbol: null, error });
      }
      if (!this.#stopped) await this.#sleep(wait ?? untilNextLook(this.#timing));
    }
  }

  async #look(): Promise<void> {
    const { account } = await this.#client.usage(this.#reading);
    const { items: active } = await this.#client.signals(
      { status: 'active', user: account, limit: 500 },
      this.#reading,
    );
    let room = MOST_ACTIVE - active.length;
    if (room <= 0) return;
    const taken = new Set(active.map(({ symbol }) => symbol));
    const { items: instruments } = await this.#client.symbols(this.#reading);
    const free = chooseSymbols(instruments).filter((symbol) => !taken.has(symbol));
    const decisions = await fewAtATime(this.#turned(free), REQUESTS_AT_A_TIME, (symbol) =>
      this.#each(symbol, () => this.#decide(symbol)),
    );
    // One after another: the room left must be known before the next.
    for (const decision of decisions) {
      if (!decision) continue;
      if (room === 0 || this.#stopped) return;
      if (await this.#each(decision.symbol, () => this.#publish(decision))) room--;
    }
  }

  /** Begun at another each time, so that where room is short the first of the catalogue does not always get it. */
  #turned(symbols: readonly string[]): string[] {
    const first = Math.floor(this.#timing.random() * symbols.length);
    return [...symbols.slice(first), ...symbols.slice(0, first)];
  }

  /** What went wrong with one instrument is told, and the others have their turn. */
  async #each<T>(symbol: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (concernsAll(error)) throw error;
      if (isRefusal(error)) this.#refused.set(error.code, (this.#refused.get(error.code) ?? 0) + 1);
      else this.#onTrouble({ strategy: this.#strategy, symbol, error });
      return null;
    }
  }

  async #decide(symbol: string): Promise<Decision | null> {
    // One more than needed: the last may still be forming.
    const options = { timeframe: '1m', bars: BARS + 1 } as const;
    const { ohlcv, quote } = await this.#client.market(symbol, options, this.#reading);
    const now = this.#timing.now();
    const bars = ohlcv.filter(({ time }) => Date.parse(time) < minuteOf(now)).slice(-BARS);
    const bar = bars.at(-1);
    if (!quote || !bar || now - endOf(bar) > OLDEST_CLOSE_MS) return null;
    const idea = STRATEGIES[this.#strategy]({ bars, quote });
    return idea && { symbol, idea, bar };
  }

  async #publish({ symbol, idea, bar }: Decision): Promise<true> {
    const { expires_in_seconds, ...signal } = idea;
    // From the bar's end, not from now: sent again for the same minute, it is the same.
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

/** `Retry-After`, within reason: a minute where the service did not say. */
const waitOf = (seconds: number | null): number => Math.min(LONGEST_WAIT_S, Math.max(1, seconds ?? 60)) * 1000;
