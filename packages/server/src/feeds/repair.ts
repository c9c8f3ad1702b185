// What is known of a source's symbols: drops trades that came twice, finds the ids that are missing, fetches them, and
// declares what cannot be had.
import { asEpochMs, type EpochMs, type MarketSymbol, type TradeEvent } from '@tickwire/engine';
import { Continuity, type Hole } from './continuity.ts';
import type { KnownTrade } from './source.ts';
import type { MarketEvent, Supervised } from './supervised.ts';

/** Messages overtake each other at times: a hole is given this long to close by itself. */
const PATIENCE_MS = 1_000;
const REPAIR_ATTEMPTS = 4;

/** Where an earlier run ended. */
export interface EarlierRun {
  readonly until: EpochMs;
  /** The last trade of each symbol that came from this source; none where another had the symbol. */
  readonly trades: ReadonlyMap<MarketSymbol, KnownTrade>;
}

interface Track {
  readonly symbol: MarketSymbol;
  continuity: Continuity;
  /** Up to when nothing is missing that was not declared; 0 where the symbol was never seen. */
  knownUntil: number;
  /** Attempts made at the oldest hole. */
  attempts: number;
}

export class Repair {
  /** Time of the newest event, of whatever symbol. */
  lastEventAt: number;
  readonly #supervised: Supervised;
  readonly #earlier: EarlierRun | undefined;
  readonly #tracks = new Map<MarketSymbol, Track>();
  #mending = false;

  constructor(supervised: Supervised, earlier?: EarlierRun) {
    this.#supervised = supervised;
    this.#earlier = earlier;
    this.lastEventAt = earlier?.until ?? 0;
    for (const symbol of supervised.source.symbols) {
      const continuity = this.#continuity(symbol);
      const known = earlier?.trades.get(symbol);
      if (known) continuity.take(known.id, known.time, supervised.now());
      this.#tracks.set(symbol, { symbol, continuity, knownUntil: this.lastEventAt, attempts: 0 });
    }
  }

  /** Symbols of which something was known before now. */
  get known(): MarketSymbol[] {
    return [...this.#tracks.values()].flatMap(({ symbol, knownUntil }) => (knownUntil > 0 ? symbol : []));
  }

  knownUntil(symbol: MarketSymbol): number {
    return this.#tracks.get(symbol)?.knownUntil ?? 0;
  }

  /** The last trade of a symbol that has a number. */
  last(symbol: MarketSymbol): KnownTrade | null {
    const { last, lastTime } = this.#tracks.get(symbol)!.continuity;
    return last === null ? null : { id: last, time: asEpochMs(lastTime) };
  }

  /** Takes in what comes from the venue by itself. */
  pass(events: readonly MarketEvent[]): void {
    const fresh = events.filter((event) => event.kind === 'quote' || this.#isNew(event));
    this.#supervised.counters.duplicates += events.length - fresh.length;
    for (const { symbol, time } of fresh) {
      const track = this.#tracks.get(symbol);
      if (track && time > track.knownUntil) track.knownUntil = time;
      if (time > this.lastEventAt) this.lastEventAt = time;
    }
    if (fresh.length > 0) this.#supervised.accept(fresh);
  }

  /** Takes in trades of one symbol that were fetched. */
  backfill(trades: readonly TradeEvent[], whole = true): void {
    const { counters, accept, now } = this.#supervised;
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
    // What is not whole is a gap that is declared next: until then its market is not there again.
    accept(whole ? [...fresh, { kind: 'backfilled', symbols, count: fresh.length, from, to, time }] : fresh);
  }

  /** Nothing of the symbol is missing up to now. */
  bridged(symbol: MarketSymbol): void {
    this.#tracks.get(symbol)!.knownUntil = this.#supervised.now();
  }

  /** What happened between the last that is known of the symbols and now is lost, or too late to count in its place. */
  declare(symbols: readonly MarketSymbol[]): void {
    const { counters, accept, now } = this.#supervised;
    const time = asEpochMs(now());
    const tracks = symbols.map((symbol) => this.#tracks.get(symbol)!);
    for (const [from, alike] of Map.groupBy(tracks, ({ knownUntil }) => Math.min(knownUntil, time))) {
      counters.gaps++;
      accept([{ kind: 'gap', symbols: alike.map(({ symbol }) => symbol), from: asEpochMs(from), to: time, time }]);
    }
    for (const track of tracks) {
      track.continuity.declare();
      track.knownUntil = time;
    }
  }

  /** What followed the last trade of an earlier run is history now, for an import to bring: nobody asks for it again. */
  forgetEarlier(symbol: MarketSymbol): void {
    const track = this.#tracks.get(symbol)!;
    const id = this.#earlier?.trades.get(symbol)?.id;
    if (id === undefined) return;
    if (track.continuity.last === id) track.continuity = this.#continuity(symbol);
    for (const hole of track.continuity.holes) if (hole.from === id + 1) track.continuity.dismiss(hole);
  }

  /**
   * Fetches the oldest hole of each symbol, one after the other. What arrives when `open` says no is left alone: old trades
   * must not get among those that bridge a cut. The hole stays, and is asked for again.
   */
  async mend(open: () => boolean): Promise<void> {
    if (this.#mending) return;
    this.#mending = true;
    try {
      for (const track of this.#tracks.values()) {
        const [hole] = track.continuity.holes;
        if (hole && open() && this.#supervised.now() - hole.since >= PATIENCE_MS * 2 ** track.attempts)
          await this.#fetch(track, hole, open);
      }
    } finally {
      this.#mending = false;
    }
  }

  async #fetch(track: Track, hole: Hole, open: () => boolean): Promise<void> {
    const { source, complain } = this.#supervised;
    const after = { id: hole.from - 1, time: asEpochMs(hole.afterTime) };
    let trades: readonly TradeEvent[] | null = null;
    try {
      trades = (await source.missed?.(track.symbol, after, { before: hole.to + 1 })) ?? null;
    } catch (error) {
      complain(`missed trades of ${track.symbol}: ${String(error)}`);
      if (++track.attempts < REPAIR_ATTEMPTS) return;
    }
    if (!open()) return;
    track.attempts = 0;
    if (trades) this.backfill(trades);
    const rest = track.continuity.holes.filter((each) => each.from >= hole.from && each.to <= hole.to);
    // What the venue does not have between two of its trades it never had: not every venue counts without leaving out.
    for (const each of rest) {
      if (trades) track.continuity.dismiss(each);
      else track.continuity.abandon(each);
    }
  }

  #isNew({ symbol, id, time }: TradeEvent): boolean {
    const track = this.#tracks.get(symbol);
    return !track || id === undefined || track.continuity.take(id, time, this.#supervised.now());
  }

  #continuity(symbol: MarketSymbol): Continuity {
    return new Continuity((hole) => this.#lost(symbol, hole));
  }

  #lost(symbol: MarketSymbol, hole: Hole): void {
    const { source, counters, accept, now, log } = this.#supervised;
    log.error('trades are missing for good', { feed: source.name, symbol, ids: hole.to - hole.from + 1 });
    if (hole.declared) return;
    counters.gaps++;
    const time = asEpochMs(now());
    accept([{ kind: 'gap', symbols: [symbol], from: asEpochMs(hole.since), to: time, time }]);
  }
}
