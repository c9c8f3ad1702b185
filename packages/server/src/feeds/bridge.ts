// Between two connections of a source. What was missed comes in before anything newer, or its loss is declared before
// anything newer: the order of events decides signals. So live events wait, from the moment a connection is attempted until
// every symbol is bridged or declared, bounded in number and time.
import { asEpochMs, type Bar, type EpochMs, type MarketSymbol, type TradeEvent } from '@tickwire/engine';
import type { Repair } from './repair.ts';
import type { MarketEvent, Supervised } from './supervised.ts';

const MINUTE = 60_000;
/** Live events wait so many at the most, and so long. */
const MAX_HELD = 20_000;
const HOLD_MS = 15_000;
/** What is older is history, for an import to bring. */
const LONGEST_MS = 7 * 86_400_000;
/** Twenty pages of a venue: at the slowest pace of the venues they just fail to fit into the wait. */
const MAX_MISSED = 20_000;
/** Symbols asked for side by side. */
const PARALLEL = 4;
/** A venue's REST may lag behind its stream: until its answer reaches the first live trade it is asked again. */
const SEAM_ATTEMPTS = 4;
const SEAM_PAUSE_MS = 250;

/** One wait of live events. */
interface Hold {
  readonly events: MarketEvent[];
  readonly bridged: Set<MarketSymbol>;
  /** Minutes that came in, and of which symbols. */
  readonly filled: { symbols: MarketSymbol[]; count: number; from: EpochMs };
  timer: ReturnType<typeof setTimeout> | null;
  fetching: boolean;
  /** The connection it belonged to is gone. */
  cut: boolean;
}

interface Missed {
  readonly trades: readonly TradeEvent[];
  /** Nothing is missing up to the first live trade. */
  readonly whole: boolean;
  /** Where it is not whole: what is missing may be had later. */
  readonly again: boolean;
}

export class Bridge {
  readonly #supervised: Supervised;
  readonly #repair: Repair;
  readonly #holdMs: number;
  /** The wait of the newest connection, over or not. */
  #hold = newHold();
  #open = false;
  #settled = false;

  constructor(supervised: Supervised, repair: Repair, holdMs = HOLD_MS) {
    this.#supervised = supervised;
    this.#repair = repair;
    this.#holdMs = holdMs;
  }

  /** True while live events pass. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** True once what was missed before the first connection has come in or was declared. */
  get isSettled(): boolean {
    return this.#settled;
  }

  /** True while what was missed is being fetched, be it too late to wait for. */
  get isFetching(): boolean {
    return this.#hold.fetching;
  }

  take(events: readonly MarketEvent[]): void {
    if (this.#open) {
      this.#repair.pass(events);
      return;
    }
    const hold = this.#hold;
    for (const event of events) hold.events.push(event);
    if (hold.events.length > MAX_HELD) this.#release(hold);
  }

  /** The connection is up: fetches what was missed. */
  async span(): Promise<void> {
    const { source } = this.#supervised;
    const hold = this.#hold;
    if (this.#open) return;
    const symbols = this.#missing();
    hold.timer = setTimeout(() => this.#release(hold), this.#holdMs);
    hold.fetching = true;
    try {
      if (source.missed) await sideBySide(symbols, (symbol) => this.#trades(hold, symbol));
      else if (source.minutes) await this.#minutes(hold, symbols);
    } finally {
      hold.fetching = false;
      this.#release(hold);
    }
  }

  /** The connection is gone, or did not come up. */
  cut(): void {
    const hold = this.#hold;
    // What waits was missed like what came before it, where trades can be had again. Ticks that cannot are kept.
    if (!this.#supervised.source.missed && hold.events.length > 0) this.#release(hold);
    if (hold.timer) clearTimeout(hold.timer);
    hold.cut = true;
    this.#hold = newHold();
    this.#open = false;
  }

  /** Symbols of which something may be missing. A source that has no trades has its minutes of all or none. */
  #missing(): readonly MarketSymbol[] {
    const { source } = this.#supervised;
    if (source.missed || !source.minutes) return this.#repair.known;
    return this.#repair.lastEventAt > 0 ? source.symbols : [];
  }

  async #trades(hold: Hold, symbol: MarketSymbol): Promise<void> {
    if (hold.cut) return;
    const { trades, whole, again } = await this.#missed(hold, symbol);
    // The next connection asks for them as well, and only one answer may stand between a cut and what is newer.
    if (hold.cut) return;
    // Too late to be waited for, they are no bridge any more.
    this.#repair.backfill(trades, whole || !this.#waits(hold));
    if (whole && this.#waits(hold)) {
      hold.bridged.add(symbol);
      this.#repair.bridged(symbol);
    }
    if (!whole && !again) this.#repair.forgetEarlier(symbol);
  }

  async #missed(hold: Hold, symbol: MarketSymbol): Promise<Missed> {
    const { source, complain, now } = this.#supervised;
    const trades: TradeEvent[] = [];
    const after = this.#repair.last(symbol);
    if (!after || now() - this.#repair.knownUntil(symbol) > LONGEST_MS) return { trades, whole: false, again: false };
    let last = after;
    let live = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < SEAM_ATTEMPTS && !hold.cut; attempt++) {
      if (attempt > 0) await Bun.sleep(SEAM_PAUSE_MS * attempt);
      try {
        const answer = await source.missed!(symbol, last, { limit: MAX_MISSED });
        if (!answer) return { trades, whole: false, again: false };
        for (const trade of answer) trades.push(trade);
      } catch (error) {
        complain(`missed trades of ${symbol}: ${String(error)}`);
        return { trades, whole: false, again: true };
      }
      const newest = trades.at(-1);
      if (newest?.id !== undefined) last = { id: newest.id, time: newest.time };
      if (this.#waits(hold)) live = firstHeld(hold, symbol, after.id);
      if (live === Number.POSITIVE_INFINITY || live <= last.id + 1) {
        // What came live as well stands there in its place among the quotes.
        return { trades: trades.filter(({ id }) => id === undefined || id < live), whole: true, again: false };
      }
    }
    return { trades, whole: false, again: true };
  }

  /** The minutes of an outage, from a source that has them as bars. Those that come too late to be waited for are left. */
  async #minutes(hold: Hold, symbols: readonly MarketSymbol[]): Promise<void> {
    const { source, fill, complain, now } = this.#supervised;
    const from = asEpochMs(Math.max(this.#repair.lastEventAt, now() - LONGEST_MS));
    const to = now();
    hold.filled.from = from;
    await sideBySide(symbols, async (symbol) => {
      if (!this.#waits(hold)) return;
      const bars = await source.minutes!(symbol, asEpochMs(from - (from % MINUTE)), asEpochMs(to)).catch(
        (error: unknown) => complain(`minutes of ${symbol}: ${String(error)}`),
      );
      if (!bars || !this.#waits(hold)) return;
      if (from === this.#repair.lastEventAt && this.#reach(hold, symbol, bars, to)) hold.bridged.add(symbol);
      if (bars.length === 0) return;
      fill?.(bars.map((bar) => ({ kind: 'minute', symbol, bar })));
      hold.filled.symbols.push(symbol);
      hold.filled.count += bars.length;
    });
  }

  /**
   * Whether the bars leave nothing open up to `to`. The minute that runs may have none because it had no price yet; where
   * one is known of, before the cut or after it, the answer lags behind.
   */
  #reach(hold: Hold, symbol: MarketSymbol, bars: readonly Bar[], to: number): boolean {
    const minute = to - (to % MINUTE);
    const last = bars.at(-1);
    if (last && (last.partial || last.time >= minute)) return true;
    const missed = ({ symbol: each, time }: MarketEvent): boolean => each === symbol && time >= minute && time < to;
    return this.#repair.knownUntil(symbol) < minute && !hold.events.some(missed);
  }

  #waits(hold: Hold): boolean {
    return !this.#open && hold === this.#hold;
  }

  #release(hold: Hold): void {
    if (!this.#waits(hold)) return;
    if (hold.timer) clearTimeout(hold.timer);
    const { counters, accept, now } = this.#supervised;
    const { symbols, count, from } = hold.filled;
    if (count > 0) {
      const time = asEpochMs(now());
      counters.backfilled += count;
      accept([{ kind: 'backfilled', symbols, count, from, to: time, time }]);
    }
    this.#repair.declare(this.#repair.known.filter((symbol) => !hold.bridged.has(symbol)));
    this.#open = this.#settled = true;
    this.#repair.pass(hold.events);
    hold.events.length = 0;
  }
}

const newHold = (): Hold => ({
  events: [],
  bridged: new Set(),
  filled: { symbols: [], count: 0, from: asEpochMs(0) },
  timer: null,
  fetching: false,
  cut: false,
});

/** The lowest id above `after` among the trades of a symbol that wait. */
function firstHeld({ events }: Hold, symbol: MarketSymbol, after: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (const event of events) {
    if (event.kind !== 'trade' || event.symbol !== symbol || event.id === undefined) continue;
    if (event.id > after && event.id < first) first = event.id;
  }
  return first;
}

async function sideBySide(
  symbols: readonly MarketSymbol[],
  work: (symbol: MarketSymbol) => Promise<void>,
): Promise<void> {
  const left = [...symbols];
  const worker = async (): Promise<void> => {
    for (let symbol = left.shift(); symbol !== undefined; symbol = left.shift()) await work(symbol);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
