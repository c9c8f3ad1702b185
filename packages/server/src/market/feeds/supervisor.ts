// Runs one connector as a feed: connects, reconnects with growing pauses, and drops a connection that has gone silent.
// Missed data is backfilled before anything newer; data that cannot be fetched is declared as a gap.

import { asEpochMs, type InstrumentSpec, isMarketOpen, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { backOffMs } from '../../work/back-off.ts';
import { RateLimiter } from '../../work/rate-limiter.ts';
import { MAX_AHEAD_MS } from '../intake.ts';
import type { PerpetualSink } from '../perpetual-intake.ts';
import { Backfill } from './backfill.ts';
import type { Refusal, VenueConnection } from './connector.ts';
import { type FeedFailure, failureOf } from './failure.ts';
import type { Feed, FeedStatus } from './feed.ts';
import type { FeedContext, FeedCounters } from './feed-context.ts';
import { GapRepair } from './gap-repair.ts';
import type { ResumePoint } from './resume-point.ts';
import { PriceDelay } from './venue-delay.ts';

/** Of any length up to the maximum, so that services which lost a venue together do not return together. */
const PAUSES = { firstMs: 500, maxMs: 30_000, jitter: 1 };
/** After a connection that lasted this long, the pauses start small again. */
const STABLE_MS = MINUTE_MS;
/** To connect, beside the time for many subscribe requests. */
const CONNECT_MS = 30_000;
const WATCH_MS = 500;
const COMPLAINT_NAME_LENGTH = 60;

export interface FeedSupervisorOptions extends Omit<FeedContext, 'counters' | 'complain'> {
  readonly instruments: readonly InstrumentSpec[];
  /** Where the last run ended: the first connection backfills from there. */
  readonly resume?: ResumePoint;
  /** Takes what the venue publishes of perpetuals. Left out: it is not used. */
  readonly perpetuals?: PerpetualSink;
  readonly random?: () => number;
  /** Told each time a connection ends or cannot be made. */
  readonly onFailure?: (failure: FeedFailure) => void;
  /** How long live events wait for the backfill. Set only by tests. */
  readonly holdMs?: number;
}

export class FeedSupervisor implements Feed {
  readonly counters: FeedCounters = {
    connects: 0,
    disconnects: 0,
    duplicates: 0,
    backfilled: 0,
    gaps: 0,
    invalidMessages: 0,
  };
  readonly #options: FeedSupervisorOptions;
  readonly #repair: GapRepair;
  readonly #backfill: Backfill;
  readonly #delay = new PriceDelay();
  #state: FeedStatus['state'] = 'starting';
  #lastMessageAt = 0;
  #connection: VenueConnection | null = null;
  /** Ends the current connection, or the attempt at one. */
  #drop: ((reason: string) => void) | null = null;
  #lastError: string | null = null;
  #failure: FeedFailure | null = null;
  #refused: ReadonlyMap<MarketSymbol, Refusal> = new Map();
  #timer: ReturnType<typeof setInterval> | null = null;
  /** Ends the pause before the next attempt. */
  #wake: (() => void) | null = null;
  /** Complaints with the same name are logged once per minute; the counter includes all of them. */
  readonly #loggedComplaints = new RateLimiter({ limit: 1, maxKeys: 100 });

  constructor(options: FeedSupervisorOptions) {
    this.#options = options;
    const context: FeedContext = {
      ...options,
      counters: this.counters,
      complain: (complaint) => this.#complain(complaint),
    };
    this.#repair = new GapRepair(context, options.resume);
    this.#backfill = new Backfill(context, this.#repair, options.holdMs);
  }

  /** True once the first connection has published or declared what was missed before it. */
  get isSettled(): boolean {
    return this.#backfill.isSettled;
  }

  start(): void {
    this.#timer = setInterval(() => this.#watch(), WATCH_MS);
    void this.#run();
  }

  stop(): void {
    this.#state = 'stopped';
    if (this.#timer) clearInterval(this.#timer);
    this.#drop?.('stopped');
    this.#wake?.();
  }

  status(): FeedStatus {
    const { connector } = this.#options;
    return {
      name: connector.name,
      state: this.#state,
      lastEventAt: this.#repair.lastEventAt,
      symbols: connector.symbols,
      ...this.counters,
      lastError: this.#lastError,
      failure: this.#failure,
      refused: this.#refused,
      delay: this.#delay.value,
      clockOffsetMs: connector.clockOffset?.() ?? null,
    };
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (this.#state !== 'stopped') {
      const startedAt = this.#options.now();
      const reason = await this.#runConnection();
      if (this.#isStopped()) return;
      failures = this.#options.now() - startedAt > STABLE_MS ? 0 : failures + 1;
      this.#failure = failureOf(reason, this.#options.connector.name);
      this.#lastError = this.#failure.text;
      this.#state = 'waiting';
      this.#options.onFailure?.(this.#failure);
      const pause = backOffMs(failures + 1, { ...PAUSES, random: this.#options.random ?? Math.random });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** One connection from start to end; returns why it ended. */
  async #runConnection(): Promise<unknown> {
    const { connector, accept, now, log } = this.#options;
    this.#state = 'connecting';
    let isCurrent = true;
    const refused = new Map<MarketSymbol, Refusal>();
    const dropped = new Promise<string>((resolve) => {
      this.#drop = resolve;
    });
    const attempt = connector.connect({
      events: (events) => {
        if (!isCurrent) return;
        this.#lastMessageAt = now();
        // The first messages of a connection may repeat old trades.
        if (this.#backfill.isLive) this.#delay.observe(events, this.#lastMessageAt);
        this.#backfill.accept(events);
      },
      alive: () => {
        if (isCurrent) this.#lastMessageAt = now();
      },
      complain: (complaint) => this.#complain(complaint),
      perpetuals: (updates) => {
        if (isCurrent) this.#options.perpetuals?.figures(this.#timely(updates));
      },
      liquidations: (liquidations) => {
        if (isCurrent) this.#options.perpetuals?.liquidations(this.#timely(liquidations));
      },
      duplicates: (count) => {
        this.counters.duplicates += count;
      },
      refused: (symbol, why) => {
        refused.set(symbol, why);
      },
    });
    // Cleared below: a feed that has stopped must not be kept in memory by it.
    const limitMs = CONNECT_MS + (connector.subscribeMs?.() ?? 0);
    const timer = setTimeout(
      () => this.#drop?.(`no connection within ${Math.round(limitMs / 1_000)} seconds`),
      limitMs,
    );
    const connection = await Promise.race([attempt, dropped]).catch((error: unknown) =>
      error instanceof Error ? error : String(error),
    );
    clearTimeout(timer);
    if (typeof connection === 'string' || connection instanceof Error) {
      isCurrent = false;
      this.#backfill.connectionClosed();
      // The attempt may still succeed later.
      attempt.then((late) => late.close()).catch(() => {});
      return connection;
    }
    this.counters.connects++;
    this.#connection = connection;
    this.#lastMessageAt = now();
    this.#state = 'live';
    const after = this.#failure && { after: this.#failure.text };
    log.info('feed is live', { feed: connector.name, symbols: connector.symbols.length, ...after });
    this.#failure = null;
    this.#refused = refused;
    // The first events may be held back for a while: report the connection now.
    accept([]);
    void this.#backfill.run();
    const reason = await Promise.race([connection.closed, dropped]);
    isCurrent = false;
    connection.close();
    this.#connection = null;
    this.counters.disconnects++;
    this.#backfill.connectionClosed();
    accept([{ kind: 'disconnect', symbols: connector.symbols, time: asEpochMs(now()) }]);
    return reason;
  }

  #watch(): void {
    const { connector, instruments, now } = this.#options;
    const time = now();
    const silenceMs = time - this.#lastMessageAt;
    if (this.#connection && silenceMs > connector.staleMs) {
      const open = instruments.some(
        ({ symbol, hours }) => connector.symbols.includes(symbol) && isMarketOpen(hours, asEpochMs(time)),
      );
      if (open) this.#drop?.(`silent for ${Math.round(silenceMs / 1000)} s`);
    }
    void this.#repair.repair(() => this.#backfill.isLive && !this.#backfill.isFetching);
  }

  /** Without those whose time is in the future, as for prices. */
  #timely<T extends { readonly time: number }>(items: readonly T[]): readonly T[] {
    const latest = this.#options.now() + MAX_AHEAD_MS;
    if (items.every(({ time }) => time <= latest)) return items;
    this.#complain('data of a perpetual: its time is in the future');
    return items.filter(({ time }) => time <= latest);
  }

  #complain(complaint: string): void {
    this.counters.invalidMessages++;
    const name = complaint.slice(0, COMPLAINT_NAME_LENGTH);
    if (this.#loggedComplaints.take(name, this.#options.now()) > 0) return;
    this.#options.log.warn('feed sent an unusable message', { feed: this.#options.connector.name, what: complaint });
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }
}
