// Keeps one source alive: connects, connects again with growing pauses, and notices when it has gone quiet. What was missed
// meanwhile is bridged before anything newer comes in; what cannot be had is declared. Loss is data here, never silence.
import { asEpochMs, type InstrumentSpec, isOpen, type MarketSymbol } from '@tickwire/engine';
import { Bridge } from './bridge.ts';
import type { Feed, FeedStatus } from './feed.ts';
import { type EarlierRun, Repair } from './repair.ts';
import type { SourceLink } from './source.ts';
import type { Counters, Supervised } from './supervised.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A connection that lived this long was a good one: the pauses start small again. */
const GOOD_MS = 60_000;
const CONNECT_MS = 30_000;
const WATCH_MS = 500;

export interface SupervisorOptions extends Omit<Supervised, 'counters' | 'complain'> {
  readonly instruments: readonly InstrumentSpec[];
  /** Where an earlier run ended: what came since is bridged with the first connection. */
  readonly earlier?: EarlierRun;
  readonly random?: () => number;
  /** How long live events wait for what was missed. Tests hurry; nobody else has a reason to. */
  readonly holdMs?: number;
}

export class Supervisor implements Feed {
  readonly counters: Counters = { connects: 0, disconnects: 0, duplicates: 0, backfilled: 0, gaps: 0, complaints: 0 };
  readonly #options: SupervisorOptions;
  readonly #symbols: ReadonlySet<MarketSymbol>;
  readonly #repair: Repair;
  readonly #bridge: Bridge;
  #state: FeedStatus['state'] = 'starting';
  #heardAt = 0;
  #link: SourceLink | null = null;
  #drop: ((reason: string) => void) | null = null;
  #lastError: string | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  #wake: (() => void) | null = null;
  #complained = new Map<string, number>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#symbols = new Set(options.source.symbols);
    const complain = (what: string): null => this.#complain(what);
    const supervised: Supervised = { ...options, counters: this.counters, complain };
    this.#repair = new Repair(supervised, options.earlier);
    this.#bridge = new Bridge(supervised, this.#repair, options.holdMs);
  }

  /** True once what happened before the first connection has come in or was declared. */
  get isSettled(): boolean {
    return this.#bridge.isSettled;
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
    const { source } = this.#options;
    return {
      name: source.name,
      state: this.#state,
      lastEventAt: this.#repair.lastEventAt,
      symbols: source.symbols,
      ...this.counters,
      lastError: this.#lastError,
    };
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (this.#state !== 'stopped') {
      const began = this.#options.now();
      const reason = await this.#connection();
      if (this.#isStopped()) return;
      failures = this.#options.now() - began > GOOD_MS ? 0 : failures + 1;
      this.#lastError = reason;
      this.#state = 'waiting';
      const pause =
        (this.#options.random ?? Math.random)() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
      this.#options.log.warn('a feed is down', {
        feed: this.#options.source.name,
        reason,
        again_in_ms: Math.round(pause),
      });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** One connection from beginning to end; returns why it ended. */
  async #connection(): Promise<string> {
    const { source, accept, now, log } = this.#options;
    this.#state = 'connecting';
    let current = true;
    const dropped = new Promise<string>((resolve) => {
      this.#drop = resolve;
    });
    const attempt = source.connect({
      events: (events) => {
        if (!current) return;
        this.#heardAt = now();
        this.#bridge.take(events);
      },
      alive: () => {
        if (current) this.#heardAt = now();
      },
      complain: (what) => this.#complain(what),
    });
    const link = await Promise.race([
      attempt,
      dropped,
      Bun.sleep(CONNECT_MS).then(() => 'no connection in 30 seconds'),
    ]).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    if (typeof link === 'string') {
      current = false;
      this.#bridge.cut();
      // It may still come up when nobody waits for it any more.
      attempt.then((late) => late.close()).catch(() => {});
      return link;
    }
    this.counters.connects++;
    this.#link = link;
    this.#heardAt = now();
    this.#state = 'live';
    log.info('a feed is live', { feed: source.name, symbols: source.symbols.length });
    // It may take a while until something is let through: whoever waits for a sign of life need not.
    accept([]);
    void this.#bridge.span();
    const reason = await Promise.race([link.closed, dropped]);
    current = false;
    link.close();
    this.#link = null;
    this.counters.disconnects++;
    this.#bridge.cut();
    accept([{ kind: 'disconnect', symbols: source.symbols, time: asEpochMs(now()) }]);
    return reason;
  }

  #watch(): void {
    const { source, instruments, now } = this.#options;
    const time = now();
    if (this.#link && time - this.#heardAt > source.staleMs) {
      const open = instruments.some(({ symbol, hours }) => this.#symbols.has(symbol) && isOpen(hours, asEpochMs(time)));
      if (open) this.#drop?.(`silent for ${Math.round((time - this.#heardAt) / 1000)} s`);
    }
    void this.#repair.mend(() => this.#bridge.isOpen && !this.#bridge.isFetching);
  }

  /** Named in the log once a minute, counted always. */
  #complain(what: string): null {
    this.counters.complaints++;
    const now = this.#options.now();
    const name = what.slice(0, 60);
    if (now - (this.#complained.get(name) ?? 0) > 60_000) {
      if (this.#complained.size > 100) this.#complained.clear();
      this.#complained.set(name, now);
      this.#options.log.warn('a feed sent something odd', { feed: this.#options.source.name, what });
    }
    return null;
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }
}
