// One instrument's active signals, ordered by the prices at which something happens to them, and its standing quote.
import type { EpochMs, MarketSymbol } from '../brands.ts';
import type { TickEvent } from '../events.ts';
import type { InstrumentSpec } from '../instrument.ts';
import { toTicks } from '../price.ts';
import { barEnd, deadlineOf, type Position } from './judge.ts';
import { type Level, Levels } from './levels.ts';
import type { BarEvidence, Evidence, QuoteEvidence, TradeEvidence } from './order.ts';

/** Gaps remembered apart; more are drawn together. */
const MAX_GAPS = 1_000;
/** Levels out of force are swept when so many signals have ended since the last time, and more than are active. */
const SWEEP = 1_024;

type Role = 'entry' | 'exit';
interface RoleLevel extends Level<Position> {
  /** Entries are out of force once the signal is filled, exits before. */
  readonly role: Role;
}

export interface Gap {
  readonly seq: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export class Book {
  readonly symbol: MarketSymbol;
  readonly digits: number;
  /** Signals under judgement. */
  active = 0;
  /** Time up to which prices have judged. */
  judgedUntil = -1;
  /** The source is cut off: missed trades judge until it is back, and the passing of time ends nothing. */
  cut = false;
  #tick: Pick<TickEvent, 'time' | 'bid' | 'ask'> | null = null;
  #seq = 0;
  #source = '';
  /** A bar or a missed trade that stands for the price since the newest quote. */
  #stand: BarEvidence | TradeEvidence | null = null;
  /** A bar or a missed trade has judged since the newest quote, be it one that does not stand for the price. */
  #bridged = false;
  #gaps: Gap[] = [];
  #ended = 0;
  /** By what has to fall or rise to them: the bid or the ask. */
  readonly #bidFalls = new Levels<Position>();
  readonly #bidRises = new Levels<Position>();
  readonly #askFalls = new Levels<Position>();
  readonly #askRises = new Levels<Position>();
  readonly #deadlines = new Levels<Position>();

  constructor({ symbol, digits }: InstrumentSpec) {
    this.symbol = symbol;
    this.digits = digits;
  }

  /** The newest quote. What is made of it is made when somebody asks: most ticks decide nothing. */
  get quote(): QuoteEvidence | null {
    if (!this.#tick) return null;
    const { time, bid, ask } = this.#tick;
    return { kind: 'quote', seq: this.#seq, time, bid, ask, source: this.#source };
  }

  /** The newest quote, or the bar or missed trade that came after it. */
  get standing(): Evidence | null {
    return this.#stand ?? this.quote;
  }

  /** Whether the newest quote is the market: nothing is missing since, and nothing that was missed has come in. */
  get isLive(): boolean {
    return this.#tick !== null && !this.cut && !this.#bridged;
  }

  /** Of the standing price, in ticks. */
  get bid(): number {
    const stand = this.#stand;
    if (stand?.kind !== 'trade') return toTicks(stand?.close ?? this.#tick?.bid ?? 0, this.digits);
    const price = toTicks(stand.price, this.digits);
    return stand.side === 'sell' ? price : price - this.spread;
  }

  get ask(): number {
    return this.bid + this.spread;
  }

  /** Of the newest quote, in ticks. */
  get spread(): number {
    return this.#tick ? toTicks(this.#tick.ask, this.digits) - toTicks(this.#tick.bid, this.digits) : 0;
  }

  setQuote(tick: Pick<TickEvent, 'time' | 'bid' | 'ask'>, seq: number, source: string): void {
    this.#tick = tick;
    this.#seq = seq;
    this.#source = source;
    this.#stand = null;
    this.#bridged = false;
    this.judgedUntil = tick.time;
  }

  /** A bar that ends later than what judged before stands for the price until there is something newer. */
  setBar(bar: BarEvidence): void {
    this.#bridged = true;
    const last = barEnd(bar.time) - 1;
    if (last <= this.judgedUntil) return;
    this.judgedUntil = last;
    this.#stand = bar;
  }

  /** A missed trade stands for the price; the side it did not take keeps its distance. */
  setTrade(trade: TradeEvidence): void {
    this.#bridged = true;
    this.judgedUntil = trade.time;
    this.#stand = trade;
  }

  add(position: Position): void {
    this.active++;
    this.#watch(position);
  }

  /** A pending entry has filled: other prices matter now. */
  refill(position: Position): void {
    this.#watch(position);
  }

  end(position: Position): void {
    position.closed = true;
    this.active--;
    this.forgetGaps();
    if (++this.#ended > SWEEP && this.#ended > this.active) this.#sweep();
  }

  /** Whether a quote can change anything: five comparisons, whatever the number of signals. */
  touches(bid: number, ask: number, time: number): boolean {
    return (
      this.#bidFalls.nearest <= -bid ||
      this.#bidRises.nearest <= bid ||
      this.#askRises.nearest <= ask ||
      this.#askFalls.nearest <= -ask ||
      this.#deadlines.nearest <= time
    );
  }

  /** Takes off the levels that prices in the range have reached; NaN for a side that is not known. */
  reached(bidLow: number, bidHigh: number, askLow: number, askHigh: number, time: number): Touched {
    const touched = new Touched();
    touched.take(this.#bidFalls, -bidLow);
    touched.take(this.#bidRises, bidHigh);
    touched.take(this.#askRises, askHigh);
    touched.take(this.#askFalls, -askLow);
    touched.take(this.#deadlines, time);
    return touched;
  }

  addGap(gap: Gap): void {
    this.#gaps.push(gap);
    if (this.#gaps.length <= MAX_GAPS) return;
    const [first, second] = this.#gaps.splice(0, 2) as [Gap, Gap];
    const from = first.from < second.from ? first.from : second.from;
    this.#gaps.unshift({ seq: second.seq, from, to: first.to > second.to ? first.to : second.to });
  }

  /** Where nothing is active, gaps from before the newest quote concern nobody: what is published now is accepted against it. */
  forgetGaps(): void {
    if (this.#gaps.length > 0 && this.active === 0) this.#gaps = this.#gaps.filter(({ seq }) => seq > this.#seq);
  }

  /** Gaps up to this number concern no signal that is still to come; Infinity where none does. */
  get gapsNeededAfter(): number {
    return this.#gaps.length > 0 ? this.#seq : Number.POSITIVE_INFINITY;
  }

  /** First start and last end of the gaps since `seq`. */
  gapSince(seq: number): { readonly from: EpochMs; readonly to: EpochMs } | null {
    let gap: { from: EpochMs; to: EpochMs } | null = null;
    for (const each of this.#gaps) {
      if (each.seq <= seq) continue;
      gap ??= { from: each.from, to: each.to };
      if (each.from < gap.from) gap.from = each.from;
      if (each.to > gap.to) gap.to = each.to;
    }
    return gap;
  }

  #watch(position: Position): void {
    const { sign, order, entry, stop, target, fill } = position;
    const put = (levels: Levels<Position>, key: number, role: Role): void =>
      levels.push({ key, owner: position, role } as RoleLevel);
    // With the sign of the direction in it, a price that must be fallen to is reached when −price ≤ −level.
    const entryRises = sign === 1 ? this.#askRises : this.#bidFalls;
    const entryFalls = sign === 1 ? this.#askFalls : this.#bidRises;
    const exitRises = sign === 1 ? this.#bidRises : this.#askFalls;
    const exitFalls = sign === 1 ? this.#bidFalls : this.#askRises;
    if (!fill) put(order.kind === 'limit' ? entryFalls : entryRises, order.kind === 'limit' ? -entry : entry, 'entry');
    else {
      put(exitFalls, -stop, 'exit');
      put(exitRises, target, 'exit');
    }
    put(this.#deadlines, deadlineOf(position), fill ? 'exit' : 'entry');
  }

  #sweep(): void {
    this.#ended = 0;
    for (const levels of [this.#bidFalls, this.#bidRises, this.#askFalls, this.#askRises, this.#deadlines])
      levels.keep(inForce);
  }
}

const inForce = (level: Level<Position>): boolean =>
  !level.owner.closed && ((level as RoleLevel).role === 'exit') === (level.owner.fill !== null);

/** Levels that prices came to, and the signals they belong to. */
export class Touched {
  readonly #positions = new Set<Position>();
  readonly #taken: { readonly levels: Levels<Position>; readonly level: Level<Position> }[] = [];

  /** In the order they were accepted. */
  get positions(): Position[] {
    return [...this.#positions].sort((a, b) => a.ordinal - b.ordinal);
  }

  take(levels: Levels<Position>, probe: number): void {
    for (let level = levels.reached(probe); level; level = levels.reached(probe)) {
      if (!inForce(level)) continue;
      this.#taken.push({ levels, level });
      this.#positions.add(level.owner);
    }
  }

  /** Puts back what decided nothing after all. */
  putBack(): void {
    for (const { levels, level } of this.#taken) if (inForce(level)) levels.push(level);
  }
}
