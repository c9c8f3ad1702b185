// Backfill after a connection was lost or the service restarted. Signals are judged in the order of events, so missed data
// is published, or declared as a gap, before anything newer. Live events are therefore held back from the moment a
// connection is attempted until every symbol is backfilled or declared; the wait is bounded in number and time.
import {
  asEpochMs,
  type Bar,
  DAY_MS,
  type EpochMs,
  type MarketSymbol,
  MINUTE_MS,
  type PriceEvent,
  type TradeEvent,
} from '@tickwire/engine';
import type { FeedContext } from './feed-context.ts';
import type { GapRepair } from './gap-repair.ts';

/** Limits of the wait of live events. */
const MAX_HELD = 20_000;
const HOLD_MS = 15_000;
/** Older data is history, for an import. */
const MAX_AGE_MS = 7 * DAY_MS;
/** Twenty pages of a venue: at the slowest rate limit, they just do not fit into the wait. */
const MAX_TRADES = 20_000;
/** Symbols fetched at the same time. */
const PARALLEL = 4;
/** REST may lag behind the stream: the request is repeated until its trades reach the first live trade. */
const CATCH_UP_ATTEMPTS = 4;
const CATCH_UP_PAUSE_MS = 250;

/** Live events of one connection that wait for its backfill. */
interface Hold {
  readonly events: PriceEvent[];
  readonly complete: Set<MarketSymbol>;
  /** Minutes that were filled in, and their symbols. */
  readonly filled: { symbols: MarketSymbol[]; count: number; from: EpochMs };
  timer: ReturnType<typeof setTimeout> | null;
  fetching: boolean;
  /** The connection has ended. */
  closed: boolean;
}

interface MissedTrades {
  readonly trades: readonly TradeEvent[];
  /** No trade is missing up to the first live one. */
  readonly isComplete: boolean;
  /** When the newest of them were asked for. */
  readonly askedAt: number;
  /** If not complete: a later attempt may get the rest. */
  readonly canRetry: boolean;
}

export class Backfill {
  readonly #context: FeedContext;
  readonly #repair: GapRepair;
  readonly #holdMs: number;
  /** Of the newest connection; released or not. */
  #hold = newHold();
  #live = false;
  #settled = false;

  constructor(context: FeedContext, repair: GapRepair, holdMs = HOLD_MS) {
    this.#context = context;
    this.#repair = repair;
    this.#holdMs = holdMs;
  }

  /** True while live events pass without waiting. */
  get isLive(): boolean {
    return this.#live;
  }

  /** True once the first connection has published or declared what was missed before it. */
  get isSettled(): boolean {
    return this.#settled;
  }

  /** True while missed data is being fetched, even if live events no longer wait for it. */
  get isFetching(): boolean {
    return this.#hold.fetching;
  }

  accept(events: readonly PriceEvent[]): void {
    if (this.#live) {
      this.#repair.acceptLive(events);
      return;
    }
    const hold = this.#hold;
    for (const event of events) hold.events.push(event);
    if (hold.events.length > MAX_HELD) this.#release(hold);
  }

  /** Fetches what was missed. Called when the connection is up. */
  async run(): Promise<void> {
    const { connector } = this.#context;
    const hold = this.#hold;
    if (this.#live) return;
    const symbols = this.#symbolsToFetch();
    hold.timer = setTimeout(() => this.#release(hold), this.#holdMs);
    hold.fetching = true;
    try {
      if (connector.fetchTrades) await inParallel(symbols, (symbol) => this.#backfillTrades(hold, symbol));
      else if (connector.fetchMinutes) await this.#backfillMinutes(hold, symbols);
    } finally {
      hold.fetching = false;
      this.#release(hold);
    }
  }

  /** The connection has ended, or could not be established. */
  connectionClosed(): void {
    const hold = this.#hold;
    // Held trades can be fetched again with the others. Ticks of a venue without past trades cannot: publish them.
    if (!this.#context.connector.fetchTrades && hold.events.length > 0) this.#release(hold);
    if (hold.timer) clearTimeout(hold.timer);
    hold.closed = true;
    this.#hold = newHold();
    this.#live = false;
  }

  /** A venue without past trades has minutes of all symbols or of none. */
  #symbolsToFetch(): readonly MarketSymbol[] {
    const { connector } = this.#context;
    if (connector.fetchTrades || !connector.fetchMinutes) return this.#repair.knownSymbols;
    return this.#repair.lastEventAt > 0 ? connector.symbols : [];
  }

  async #backfillTrades(hold: Hold, symbol: MarketSymbol): Promise<void> {
    if (hold.closed) return;
    const { trades, isComplete, askedAt, canRetry } = await this.#fetchMissed(hold, symbol);
    // The next connection fetches them as well, and only one of the two may publish them.
    if (hold.closed) return;
    // If live events no longer wait, the gap is declared already and these trades are simply late.
    this.#repair.acceptBackfill(trades, isComplete || !this.#isHolding(hold));
    if (isComplete && this.#isHolding(hold)) {
      hold.complete.add(symbol);
      this.#repair.markComplete(symbol, askedAt);
    }
    if (!isComplete && !canRetry) this.#repair.abandonResumePoint(symbol);
  }

  async #fetchMissed(hold: Hold, symbol: MarketSymbol): Promise<MissedTrades> {
    const { connector, complain, now } = this.#context;
    const trades: TradeEvent[] = [];
    const after = this.#repair.lastTrade(symbol);
    let askedAt = now();
    if (!after || now() - this.#repair.knownUntil(symbol) > MAX_AGE_MS)
      return { trades, isComplete: false, askedAt, canRetry: false };
    let last = after;
    let firstLive = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < CATCH_UP_ATTEMPTS && !hold.closed; attempt++) {
      if (attempt > 0) await Bun.sleep(CATCH_UP_PAUSE_MS * attempt);
      askedAt = now();
      try {
        const fetched = await connector.fetchTrades!(symbol, last, { limit: MAX_TRADES });
        if (!fetched) return { trades, isComplete: false, askedAt, canRetry: false };
        for (const trade of fetched) trades.push(trade);
      } catch (error) {
        complain(`missed trades of ${symbol}: ${String(error)}`);
        return { trades, isComplete: false, askedAt, canRetry: true };
      }
      const newest = trades.at(-1);
      if (newest?.id !== undefined) last = { id: newest.id, time: newest.time };
      if (this.#isHolding(hold)) firstLive = firstHeldId(hold, symbol, after.id);
      if (firstLive === Number.POSITIVE_INFINITY || firstLive <= last.id + 1) {
        // Trades that also arrived live keep their place among the live quotes.
        const missed = trades.filter(({ id }) => id === undefined || id < firstLive);
        return { trades: missed, isComplete: true, askedAt, canRetry: false };
      }
    }
    return { trades, isComplete: false, askedAt, canRetry: true };
  }

  /** For a venue that offers the missed time as bars. Bars that arrive after the wait are discarded. */
  async #backfillMinutes(hold: Hold, symbols: readonly MarketSymbol[]): Promise<void> {
    const { connector, fill, complain, now } = this.#context;
    const to = now();
    const oldest = to - MAX_AGE_MS;
    const { lastEventAt } = this.#repair;
    hold.filled.from = asEpochMs(Math.max(Math.min(lastEventAt, to), oldest));
    await inParallel(symbols, async (symbol) => {
      if (!this.#isHolding(hold)) return;
      // A symbol may have stalled before the others.
      const since = this.#repair.missingSince(symbol) || lastEventAt;
      const from = Math.max(since, oldest);
      const bars = await connector.fetchMinutes!(symbol, asEpochMs(from - (from % MINUTE_MS)), asEpochMs(to)).catch(
        (error: unknown) => complain(`minutes of ${symbol}: ${String(error)}`),
      );
      if (!bars || !this.#isHolding(hold)) return;
      if (from === since && this.#coversUntil(hold, symbol, bars, to)) {
        hold.complete.add(symbol);
        this.#repair.markFilledUntil(symbol, to);
      }
      if (bars.length === 0) return;
      fill?.(bars.map((bar) => ({ kind: 'minute', symbol, bar })));
      this.#repair.markFilled(symbol, bars);
      hold.filled.symbols.push(symbol);
      if (from < hold.filled.from) hold.filled.from = asEpochMs(from);
      hold.filled.count += bars.length;
    });
  }

  /**
   * Whether the bars are complete up to `to`. The running minute has no bar if it has no price yet; but if a price in it is
   * known, from before the interruption or after it, the response lags behind.
   */
  #coversUntil(hold: Hold, symbol: MarketSymbol, bars: readonly Bar[], to: number): boolean {
    const minute = to - (to % MINUTE_MS);
    const last = bars.at(-1);
    if (last && (last.partial || last.time >= minute)) return true;
    const isInMinute = (event: PriceEvent): boolean =>
      event.symbol === symbol && event.time >= minute && event.time < to;
    return this.#repair.knownUntil(symbol) < minute && !hold.events.some(isInMinute);
  }

  #isHolding(hold: Hold): boolean {
    return !this.#live && hold === this.#hold;
  }

  #release(hold: Hold): void {
    if (!this.#isHolding(hold)) return;
    if (hold.timer) clearTimeout(hold.timer);
    const { counters, accept, now } = this.#context;
    const { symbols, count, from } = hold.filled;
    if (count > 0) {
      const time = asEpochMs(now());
      counters.backfilled += count;
      accept([{ kind: 'backfilled', symbols, count, from, to: time, time }]);
    }
    this.#repair.declareGaps(this.#repair.knownSymbols.filter((symbol) => !hold.complete.has(symbol)));
    this.#live = this.#settled = true;
    this.#repair.acceptLive(hold.events);
    hold.events.length = 0;
  }
}

const newHold = (): Hold => ({
  events: [],
  complete: new Set(),
  filled: { symbols: [], count: 0, from: asEpochMs(0) },
  timer: null,
  fetching: false,
  closed: false,
});

/** The lowest id above `after` among the held trades of a symbol. */
function firstHeldId({ events }: Hold, symbol: MarketSymbol, after: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (const event of events) {
    if (event.kind !== 'trade' || event.symbol !== symbol || event.id === undefined) continue;
    if (event.id > after && event.id < first) first = event.id;
  }
  return first;
}

async function inParallel(
  symbols: readonly MarketSymbol[],
  work: (symbol: MarketSymbol) => Promise<void>,
): Promise<void> {
  const queue = [...symbols];
  const worker = async (): Promise<void> => {
    for (let symbol = queue.shift(); symbol !== undefined; symbol = queue.shift()) await work(symbol);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
