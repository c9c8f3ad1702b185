// Keeps one source alive: connects, connects again with growing pauses, notices when it has gone quiet, drops what came
// twice, fetches what is missing, and declares what cannot be had. Loss is data here, never silence.
import {
  asEpochMs,
  type EpochMs,
  type FeedEvent,
  type InstrumentSpec,
  isOpen,
  type MarketSymbol,
  type MinuteEvent,
  type QuoteEvent,
  type TradeEvent,
} from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { Continuity, type Hole } from './continuity.ts';
import type { Feed, FeedStatus } from './feed.ts';
import type { Source, SourceLink } from './source.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A connection that lived this long was a good one: the pauses start small again. */
const GOOD_MS = 60_000;
const CONNECT_MS = 30_000;
const WATCH_MS = 500;
/** Messages overtake each other at times: a hole is given this long to close by itself. */
const PATIENCE_MS = 1_000;
const REPAIR_ATTEMPTS = 4;
const MINUTE = 60_000;
/** Live events wait for the bars of an outage so many at the most. */
const MAX_HELD = 20_000;
const HOLD_MS = 15_000;
/** What is older is history, for an import to bring. */
const LONGEST_FILL_MS = 7 * 86_400_000;

export interface SupervisorOptions {
  readonly source: Source;
  readonly instruments: readonly InstrumentSpec[];
  readonly accept: (events: readonly FeedEvent[]) => void;
  /** Takes minutes that a source has only as bars. */
  readonly fill?: (minutes: readonly MinuteEvent[]) => void;
  /** Where an earlier run ended: what came since is fetched with the first connection. */
  readonly since?: EpochMs;
  readonly now: () => number;
  readonly log: Log;
  readonly random?: () => number;
}

interface Track {
  readonly symbol: MarketSymbol;
  readonly continuity: Continuity;
  lastTradeAt: number;
  /** Attempts made at the oldest hole. */
  attempts: number;
}

export class Supervisor implements Feed {
  readonly counters = { connects: 0, disconnects: 0, duplicates: 0, backfilled: 0, gaps: 0, complaints: 0 };
  readonly #options: SupervisorOptions;
  readonly #tracks = new Map<MarketSymbol, Track>();
  #state: FeedStatus['state'] = 'starting';
  #lastEventAt = 0;
  #heardAt = 0;
  #link: SourceLink | null = null;
  #drop: ((reason: string) => void) | null = null;
  #lastError: string | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  #wake: (() => void) | null = null;
  #repairing = false;
  /** Events that wait until the minutes before them are in; null where nothing waits. */
  #held: (QuoteEvent | TradeEvent)[] | null = null;
  #complained = new Map<string, number>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#lastEventAt = options.since ?? 0;
    for (const symbol of options.source.symbols) {
      const continuity = new Continuity((hole) => this.#lost(symbol, hole));
      this.#tracks.set(symbol, { symbol, continuity, lastTradeAt: 0, attempts: 0 });
    }
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
      lastEventAt: this.#lastEventAt,
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
    const { source, now, log } = this.#options;
    this.#state = 'connecting';
    let current = true;
    const dropped = new Promise<string>((resolve) => {
      this.#drop = resolve;
    });
    const attempt = source.connect({
      events: (events) => current && this.#take(events),
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
      // It may still come up when nobody waits for it any more.
      attempt.then((late) => late.close()).catch(() => {});
      return link;
    }
    this.counters.connects++;
    this.#link = link;
    this.#heardAt = now();
    this.#state = 'live';
    log.info('a feed is live', { feed: source.name, symbols: source.symbols.length });
    void this.#catchUp();
    const reason = await Promise.race([link.closed, dropped]);
    current = false;
    link.close();
    this.#link = null;
    this.counters.disconnects++;
    this.#options.accept([{ kind: 'disconnect', symbols: source.symbols, time: asEpochMs(now()) }]);
    return reason;
  }

  #take(events: readonly (QuoteEvent | TradeEvent)[]): void {
    const now = this.#options.now();
    this.#heardAt = now;
    const fresh = events.filter((event) => event.kind === 'quote' || this.#isNew(event, now));
    this.counters.duplicates += events.length - fresh.length;
    if (this.#held && this.#held.length + fresh.length <= MAX_HELD) {
      this.#held.push(...fresh);
      return;
    }
    for (const { time } of fresh) if (time > this.#lastEventAt) this.#lastEventAt = time;
    if (fresh.length > 0) this.#options.accept(fresh);
  }

  #isNew(trade: TradeEvent, now: number): boolean {
    const track = this.#tracks.get(trade.symbol);
    if (!track || trade.id === undefined) return true;
    if (!track.continuity.take(trade.id, trade.time, now)) return false;
    if (trade.time > track.lastTradeAt) track.lastTradeAt = trade.time;
    return true;
  }

  #watch(): void {
    const { source, instruments, now } = this.#options;
    const time = now();
    if (this.#link && time - this.#heardAt > source.staleMs) {
      const open = instruments.some(({ symbol, hours }) => this.#tracks.has(symbol) && isOpen(hours, asEpochMs(time)));
      if (open) this.#drop?.(`silent for ${Math.round((time - this.#heardAt) / 1000)} s`);
    }
    void this.#repair();
  }

  /** After a connection came up again: what happened meanwhile, where the venue tells. */
  async #catchUp(): Promise<void> {
    const { source, now } = this.#options;
    if (source.minutes && this.#lastEventAt > 0)
      await this.#fillMinutes(asEpochMs(Math.max(this.#lastEventAt, now() - LONGEST_FILL_MS)), asEpochMs(now()));
    for (const track of this.#tracks.values()) {
      const { last } = track.continuity;
      if (last === null || !source.missed) continue;
      const trades = await source
        .missed(track.symbol, { id: last, time: asEpochMs(track.lastTradeAt) })
        .catch((error: unknown) => this.#complain(`missed trades of ${track.symbol}: ${String(error)}`));
      // What is not had now shows as a hole with the next trade.
      if (trades) this.#backfill(trades, now());
    }
  }

  /** The minutes of an outage, from a source that has them as bars. Live events wait, so that nothing is out of order. */
  async #fillMinutes(from: EpochMs, to: EpochMs): Promise<void> {
    const { source, fill, accept, now } = this.#options;
    const held: (QuoteEvent | TradeEvent)[] = [];
    this.#held = held;
    const end = asEpochMs(to - (to % MINUTE));
    let filled = 0;
    const deadline = Bun.sleep(HOLD_MS).then(() => null);
    for (const symbol of source.symbols) {
      const fetched = source.minutes!(symbol, asEpochMs(from - (from % MINUTE)), end).catch((error: unknown) =>
        this.#complain(`minutes of ${symbol}: ${String(error)}`),
      );
      const bars = await Promise.race([fetched, deadline]);
      if (bars) fill?.(bars.map((bar) => ({ kind: 'minute', symbol, bar })));
      filled += bars?.length ?? 0;
    }
    const news = { symbols: source.symbols, from, to, time: asEpochMs(now()) };
    if (filled > 0) {
      this.counters.backfilled += filled;
      accept([{ kind: 'backfilled', count: filled, ...news }]);
    } else if (end > from) {
      this.counters.gaps++;
      accept([{ kind: 'gap', ...news }]);
    }
    this.#held = null;
    for (const { time } of held) if (time > this.#lastEventAt) this.#lastEventAt = time;
    if (held.length > 0) accept(held);
  }

  /** Fetches the oldest hole of each symbol. One repair runs at a time, so that a venue is not asked too often. */
  async #repair(): Promise<void> {
    if (this.#repairing || !this.#link) return;
    this.#repairing = true;
    try {
      for (const track of this.#tracks.values()) {
        const [hole] = track.continuity.holes;
        if (hole && this.#options.now() - hole.since >= PATIENCE_MS * 2 ** track.attempts)
          await this.#fetch(track, hole);
      }
    } finally {
      this.#repairing = false;
    }
  }

  async #fetch(track: Track, hole: Hole): Promise<void> {
    const { source, now } = this.#options;
    const after = { id: hole.from - 1, time: asEpochMs(hole.afterTime) };
    let trades: readonly TradeEvent[] | null = null;
    try {
      trades = (await source.missed?.(track.symbol, after, hole.to + 1)) ?? null;
    } catch (error) {
      this.#complain(`missed trades of ${track.symbol}: ${String(error)}`);
      if (++track.attempts < REPAIR_ATTEMPTS) return;
    }
    track.attempts = 0;
    if (trades) this.#backfill(trades, now());
    const rest = track.continuity.holes.filter((each) => each.from >= hole.from && each.to <= hole.to);
    // What the venue does not have between two of its trades it never had: not every venue counts without leaving out.
    for (const each of rest) {
      if (trades) track.continuity.dismiss(each);
      else track.continuity.abandon(each);
    }
  }

  #backfill(trades: readonly TradeEvent[], now: number): void {
    const fresh = trades.filter((trade) => this.#isNew(trade, now));
    if (fresh.length === 0) return;
    this.counters.backfilled += fresh.length;
    const times = fresh.map((trade) => trade.time);
    this.#options.accept([
      ...fresh,
      {
        kind: 'backfilled',
        symbols: [...new Set(fresh.map((trade) => trade.symbol))],
        count: fresh.length,
        from: asEpochMs(Math.min(...times)),
        to: asEpochMs(Math.max(...times)),
        time: asEpochMs(now),
      },
    ]);
  }

  #lost(symbol: MarketSymbol, hole: Hole): void {
    this.counters.gaps++;
    const time = asEpochMs(this.#options.now());
    this.#options.log.error('trades are missing for good', {
      feed: this.#options.source.name,
      symbol,
      ids: hole.to - hole.from + 1,
    });
    this.#options.accept([{ kind: 'gap', symbols: [symbol], from: asEpochMs(hole.since), to: time, time }]);
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
