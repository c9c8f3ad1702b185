// What is known about each symbol of a connector: drops duplicate trades, fetches missing ids, and declares a gap for
// data that is lost.
import { asEpochMs, type Bar, type MarketSymbol, MINUTE_MS, type PriceEvent, type TradeEvent } from '@tickwire/engine';
import { backOffMs } from '../../work/back-off.ts';
import type { TradePosition } from './connector.ts';
import type { FeedContext } from './feed-context.ts';
import { GapDetector, type IdGap } from './gap-detector.ts';
import type { ResumePoint } from './resume-point.ts';

/** Messages may overtake each other: a gap gets this long to close by itself. Doubles with each failed attempt. */
const REPAIR_DELAY_MS = 1_000;
const REPAIR_ATTEMPTS = 4;

interface SymbolState {
  readonly symbol: MarketSymbol;
  detector: GapDetector;
  /** Everything before this time is either known or declared lost; 0 if the symbol was never seen. */
  knownUntil: number;
  /** Missed time before this was filled completely with minutes. */
  filledUntil: number;
  /** Failed attempts at the oldest gap. */
  attempts: number;
  /** Time of the newest live trade. */
  lastTradeAt: number;
  /** Trades between these times are in bars that were published in their place. */
  bars: { readonly from: number; readonly until: number };
}

const NO_BARS = { from: 0, until: 0 };

export class GapRepair {
  /** Time of the newest event of any symbol. */
  lastEventAt: number;
  readonly #context: FeedContext;
  readonly #resume: ResumePoint | undefined;
  readonly #states = new Map<MarketSymbol, SymbolState>();
  #repairing = false;

  constructor(context: FeedContext, resume?: ResumePoint) {
    this.#context = context;
    this.#resume = resume;
    this.lastEventAt = resume?.until ?? 0;
    for (const symbol of context.connector.symbols) {
      const state = this.#stateOf(symbol);
      const last = resume?.trades.get(symbol);
      if (last) state.detector.accept(last.id, last.time, context.now());
      state.knownUntil = this.lastEventAt;
    }
  }

  /** Symbols that have been seen before. */
  get knownSymbols(): MarketSymbol[] {
    return [...this.#states.values()].flatMap(({ symbol, knownUntil }) => (knownUntil > 0 ? symbol : []));
  }

  knownUntil(symbol: MarketSymbol): number {
    return this.#stateOf(symbol).knownUntil;
  }

  /** From when on data may be missing: before it, all is known or filled. 0: never seen. */
  missingSince(symbol: MarketSymbol): number {
    const { knownUntil, filledUntil } = this.#stateOf(symbol);
    return Math.max(knownUntil, filledUntil);
  }

  /** The trade with the highest id, or `null` before the first. */
  lastTrade(symbol: MarketSymbol): TradePosition | null {
    const { lastId, lastTime } = this.#stateOf(symbol).detector;
    return lastId === null ? null : { id: lastId, time: asEpochMs(lastTime) };
  }

  /** Passes on live events without duplicates. */
  acceptLive(events: readonly PriceEvent[]): void {
    const fresh = events.filter((event) => event.kind === 'quote' || this.#isNew(event));
    this.#context.counters.duplicates += events.length - fresh.length;
    for (const { kind, symbol, time } of fresh) {
      const state = this.#stateOf(symbol);
      if (time > state.knownUntil) state.knownUntil = time;
      if (kind === 'trade' && time > state.lastTradeAt) state.lastTradeAt = time;
      if (time > this.lastEventAt) this.lastEventAt = time;
    }
    if (fresh.length > 0) this.#context.accept(fresh);
  }

  /** Passes on fetched trades of one symbol. */
  acceptBackfill(trades: readonly TradeEvent[], isComplete = true): void {
    const { counters, accept, now } = this.#context;
    const fresh = trades.filter((trade) => this.#isNew(trade));
    if (fresh.length === 0) return;
    counters.backfilled += fresh.length;
    let [from, to] = [fresh[0]!.time, fresh[0]!.time];
    for (const { time } of fresh) {
      if (time < from) from = time;
      if (time > to) to = time;
    }
    const time = asEpochMs(now());
    const symbols = [fresh[0]!.symbol];
    // An incomplete backfill is followed by a gap event: `backfilled` would report the market as recovered too early.
    accept(isComplete ? [...fresh, { kind: 'backfilled', symbols, count: fresh.length, from, to, time }] : fresh);
  }

  /**
   * Minutes were published as bars. A venue without ids may repeat their trades, which are dropped then. A minute that had
   * trades before its bar came is made of trades.
   */
  markFilled(symbol: MarketSymbol, minutes: readonly Bar[]): void {
    const state = this.#stateOf(symbol);
    const filled = minutes.filter(({ time, partial }) => !partial && time > state.lastTradeAt);
    if (filled.length > 0) state.bars = { from: filled[0]!.time, until: filled.at(-1)!.time + MINUTE_MS };
  }

  /** The minutes up to this time are all there are. */
  markFilledUntil(symbol: MarketSymbol, time: number): void {
    this.#stateOf(symbol).filledUntil = time;
  }

  /** Nothing of the symbol is missing up to this time. */
  markComplete(symbol: MarketSymbol, time: number): void {
    const state = this.#stateOf(symbol);
    if (time > state.knownUntil) state.knownUntil = time;
  }

  /** Declares everything between the last known event and now as lost, or as too late to be put in order. */
  declareGaps(symbols: readonly MarketSymbol[]): void {
    const { counters, accept, now } = this.#context;
    const time = asEpochMs(now());
    const states = symbols.map((symbol) => this.#stateOf(symbol));
    for (const [from, alike] of Map.groupBy(states, ({ symbol }) => Math.min(this.missingSince(symbol), time))) {
      counters.gaps++;
      accept([{ kind: 'gap', symbols: alike.map(({ symbol }) => symbol), from: asEpochMs(from), to: time, time }]);
    }
    for (const state of states) {
      state.detector.declareLoss();
      state.knownUntil = time;
    }
  }

  /** The trades since the last run cannot be fetched. They are history now, for an import; no repair is attempted. */
  abandonResumePoint(symbol: MarketSymbol): void {
    const state = this.#stateOf(symbol);
    const id = this.#resume?.trades.get(symbol)?.id;
    if (id === undefined) return;
    if (state.detector.lastId === id) state.detector = this.#newDetector(symbol);
    for (const gap of state.detector.gaps) if (gap.from === id + 1) state.detector.dismiss(gap);
  }

  /**
   * Fetches the oldest gap of each symbol, one after the other. A response that arrives while `isAllowed` returns false is
   * discarded, so that old trades do not mix with a running backfill. The gap stays and is fetched again later.
   */
  async repair(isAllowed: () => boolean): Promise<void> {
    if (this.#repairing) return;
    this.#repairing = true;
    try {
      for (const state of this.#states.values()) {
        const [gap] = state.detector.gaps;
        if (
          gap &&
          isAllowed() &&
          this.#context.now() - gap.detectedAt >= backOffMs(state.attempts + 1, { firstMs: REPAIR_DELAY_MS })
        )
          await this.#fetch(state, gap, isAllowed);
      }
    } finally {
      this.#repairing = false;
    }
  }

  async #fetch(state: SymbolState, gap: IdGap, isAllowed: () => boolean): Promise<void> {
    const { connector, complain } = this.#context;
    const after = { id: gap.from - 1, time: asEpochMs(gap.afterTime) };
    let trades: readonly TradeEvent[] | null = null;
    try {
      trades = (await connector.fetchTrades?.(state.symbol, after, { before: gap.to + 1 })) ?? null;
    } catch (error) {
      complain(`missed trades of ${state.symbol}: ${String(error)}`);
      if (++state.attempts < REPAIR_ATTEMPTS) return;
    }
    if (!isAllowed()) return;
    state.attempts = 0;
    if (trades) this.acceptBackfill(trades);
    const rest = state.detector.gaps.filter((each) => each.from >= gap.from && each.to <= gap.to);
    // Ids that the venue does not list between two of its trades were never assigned: some venues skip ids.
    for (const each of rest) {
      if (trades) state.detector.dismiss(each);
      else state.detector.giveUp(each);
    }
  }

  #isNew({ symbol, id, time }: TradeEvent): boolean {
    const state = this.#stateOf(symbol);
    if (id !== undefined) return state.detector.accept(id, time, this.#context.now());
    // The last run recorded what came before its end.
    return time > (this.#resume?.until ?? 0) && (time < state.bars.from || time >= state.bars.until);
  }

  /** A symbol that was added has not been seen before. */
  #stateOf(symbol: MarketSymbol): SymbolState {
    let state = this.#states.get(symbol);
    if (!state) {
      const detector = this.#newDetector(symbol);
      state = { symbol, detector, knownUntil: 0, filledUntil: 0, attempts: 0, lastTradeAt: 0, bars: NO_BARS };
      this.#states.set(symbol, state);
    }
    return state;
  }

  #newDetector(symbol: MarketSymbol): GapDetector {
    return new GapDetector((gap) => this.#onLost(symbol, gap));
  }

  #onLost(symbol: MarketSymbol, gap: IdGap): void {
    const { connector, counters, accept, now, log } = this.#context;
    log.error('trades are lost', { feed: connector.name, symbol, ids: gap.to - gap.from + 1 });
    if (gap.declared) return;
    counters.gaps++;
    const time = asEpochMs(now());
    const from = asEpochMs(Math.min(gap.afterTime, time));
    accept([{ kind: 'gap', symbols: [symbol], from, to: time, time }]);
  }
}
