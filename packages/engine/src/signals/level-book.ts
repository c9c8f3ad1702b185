// The active signals of one instrument, ordered by the prices and times that can change them, and its current price.
import type { TickEvent } from '../market/events.ts';
import type { InstrumentSpec } from '../market/instrument.ts';
import { toTicks } from '../market/price.ts';
import type { EpochMs } from '../market/time.ts';
import type { BarEvidence, Evidence, QuoteEvidence, TradeEvidence } from './evidence.ts';
import { barEnd, deadlineOf, type JudgedSignal } from './judge.ts';
import { type HeapLevel, LevelHeap } from './level-heap.ts';

/** Gaps kept separately; beyond this number the oldest are merged. */
const MAX_GAPS = 1_000;
/** Obsolete levels are swept once more signals than this, and more than are active, have ended since the last sweep. */
const SWEEP_AFTER = 1_024;

type Role = 'entry' | 'exit';
interface RoleLevel extends HeapLevel<JudgedSignal> {
  /** An entry level is in force until the signal is filled, an exit level from then on. */
  readonly role: Role;
}

export interface PriceGap {
  readonly seq: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export class LevelBook {
  readonly digits: number;
  /** Number of active signals. */
  active = 0;
  /** Time up to which signals have been judged by prices. */
  judgedUntil = -1;
  /** The source is disconnected: backfilled trades judge signals until it is back, and no signal expires. */
  disconnected = false;
  #tick: Pick<TickEvent, 'time' | 'bid' | 'ask'> | null = null;
  #seq = 0;
  #source = '';
  /** A backfilled bar or trade that is newer than the newest quote and replaces it as the current price. */
  #backfilled: BarEvidence | TradeEvidence | null = null;
  /** A backfilled bar or trade has judged signals since the newest quote, whether or not it is the current price. */
  #judgedByBackfill = false;
  #gaps: PriceGap[] = [];
  #ended = 0;
  /** Levels by the side that has to reach them, and the direction it has to move in. */
  readonly #bidFalls = new LevelHeap<JudgedSignal>();
  readonly #bidRises = new LevelHeap<JudgedSignal>();
  readonly #askFalls = new LevelHeap<JudgedSignal>();
  readonly #askRises = new LevelHeap<JudgedSignal>();
  readonly #deadlines = new LevelHeap<JudgedSignal>();

  constructor({ digits }: InstrumentSpec) {
    this.digits = digits;
  }

  /** The newest quote. Built on demand, because most ticks decide nothing. */
  get quote(): QuoteEvidence | null {
    if (!this.#tick) return null;
    const { time, bid, ask } = this.#tick;
    return { kind: 'quote', seq: this.#seq, time, bid, ask, source: this.#source };
  }

  /** The newest quote, or the backfilled bar or trade that came after it. */
  get currentPrice(): Evidence | null {
    return this.#backfilled ?? this.quote;
  }

  /** Whether the newest quote is the market price: nothing is missing and nothing has been backfilled since. */
  get isLive(): boolean {
    return this.#tick !== null && !this.disconnected && !this.#judgedByBackfill;
  }

  /** Current bid, in ticks. */
  get bid(): number {
    const backfilled = this.#backfilled;
    if (backfilled?.kind !== 'trade') return toTicks(backfilled?.close ?? this.#tick?.bid ?? 0, this.digits);
    const price = toTicks(backfilled.price, this.digits);
    return backfilled.side === 'sell' ? price : price - this.spread;
  }

  get ask(): number {
    return this.bid + this.spread;
  }

  /** Spread of the newest quote, in ticks. */
  get spread(): number {
    return this.#tick ? toTicks(this.#tick.ask, this.digits) - toTicks(this.#tick.bid, this.digits) : 0;
  }

  setQuote(tick: Pick<TickEvent, 'time' | 'bid' | 'ask'>, seq: number, source: string): void {
    this.#tick = tick;
    this.#seq = seq;
    this.#source = source;
    this.#backfilled = null;
    this.#judgedByBackfill = false;
    this.judgedUntil = tick.time;
  }

  /** A bar that ends after the last judged time becomes the current price. */
  setBar(bar: BarEvidence): void {
    this.#judgedByBackfill = true;
    const end = barEnd(bar.time) - 1;
    if (end <= this.judgedUntil) return;
    this.judgedUntil = end;
    this.#backfilled = bar;
  }

  /** A backfilled trade becomes the current price; the other side follows by the spread of the newest quote. */
  setTrade(trade: TradeEvidence): void {
    this.#judgedByBackfill = true;
    this.judgedUntil = trade.time;
    this.#backfilled = trade;
  }

  add(signal: JudgedSignal): void {
    this.active++;
    this.#watchLevels(signal);
  }

  /** Watches the exit levels of a signal whose entry has filled. */
  addExits(signal: JudgedSignal): void {
    this.#watchLevels(signal);
  }

  remove(signal: JudgedSignal): void {
    signal.closed = true;
    this.active--;
    this.dropObsoleteGaps();
    if (++this.#ended > SWEEP_AFTER && this.#ended > this.active) this.#sweep();
  }

  /** Whether a quote can change any signal: five comparisons, however many signals there are. */
  touches(bid: number, ask: number, time: number): boolean {
    return (
      this.#bidFalls.nearest <= -bid ||
      this.#bidRises.nearest <= bid ||
      this.#askRises.nearest <= ask ||
      this.#askFalls.nearest <= -ask ||
      this.#deadlines.nearest <= time
    );
  }

  /** Removes the levels that prices in the range have reached. An unknown side is `NaN`. */
  popReached(bidLow: number, bidHigh: number, askLow: number, askHigh: number, time: number): ReachedLevels {
    const reached = new ReachedLevels();
    reached.take(this.#bidFalls, -bidLow);
    reached.take(this.#bidRises, bidHigh);
    reached.take(this.#askRises, askHigh);
    reached.take(this.#askFalls, -askLow);
    reached.take(this.#deadlines, time);
    return reached;
  }

  addGap(gap: PriceGap): void {
    this.#gaps.push(gap);
    if (this.#gaps.length <= MAX_GAPS) return;
    const [first, second] = this.#gaps.splice(0, 2) as [PriceGap, PriceGap];
    const from = first.from < second.from ? first.from : second.from;
    this.#gaps.unshift({ seq: second.seq, from, to: first.to > second.to ? first.to : second.to });
  }

  /** Without active signals, gaps before the newest quote are obsolete: new signals are accepted against that quote. */
  dropObsoleteGaps(): void {
    if (this.#gaps.length > 0 && this.active === 0) this.#gaps = this.#gaps.filter(({ seq }) => seq > this.#seq);
  }

  /** Gaps up to this `seq` cannot concern a future signal; `Infinity` if there is no gap. */
  get gapsNeededAfter(): number {
    return this.#gaps.length > 0 ? this.#seq : Number.POSITIVE_INFINITY;
  }

  /** First start and last end of the gaps after `seq`. */
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

  #watchLevels(signal: JudgedSignal): void {
    const { sign, order, entry, stop, target, fill } = signal;
    const put = (levels: LevelHeap<JudgedSignal>, key: number, role: Role): void =>
      levels.push({ key, owner: signal, role } as RoleLevel);
    // Keys are signed by direction: a level that the price must fall to is reached when −level ≤ −price.
    const entryRises = sign === 1 ? this.#askRises : this.#bidFalls;
    const entryFalls = sign === 1 ? this.#askFalls : this.#bidRises;
    const exitRises = sign === 1 ? this.#bidRises : this.#askFalls;
    const exitFalls = sign === 1 ? this.#bidFalls : this.#askRises;
    if (!fill) put(order.kind === 'limit' ? entryFalls : entryRises, order.kind === 'limit' ? -entry : entry, 'entry');
    else {
      put(exitFalls, -stop, 'exit');
      put(exitRises, target, 'exit');
    }
    put(this.#deadlines, deadlineOf(signal), fill ? 'exit' : 'entry');
  }

  #sweep(): void {
    this.#ended = 0;
    for (const levels of [this.#bidFalls, this.#bidRises, this.#askFalls, this.#askRises, this.#deadlines])
      levels.keep(inForce);
  }
}

const inForce = (level: HeapLevel<JudgedSignal>): boolean =>
  !level.owner.closed && ((level as RoleLevel).role === 'exit') === (level.owner.fill !== null);

/** Levels that were reached, and their signals. */
export class ReachedLevels {
  readonly #signals = new Set<JudgedSignal>();
  readonly #taken: { readonly levels: LevelHeap<JudgedSignal>; readonly level: HeapLevel<JudgedSignal> }[] = [];

  /** In order of acceptance. */
  get signals(): JudgedSignal[] {
    return [...this.#signals].sort((a, b) => a.ordinal - b.ordinal);
  }

  take(levels: LevelHeap<JudgedSignal>, probe: number): void {
    for (let level = levels.popReached(probe); level; level = levels.popReached(probe)) {
      if (!inForce(level)) continue;
      this.#taken.push({ levels, level });
      this.#signals.add(level.owner);
    }
  }

  /** Puts back the levels that are still in force. */
  restore(): void {
    for (const { levels, level } of this.#taken) if (inForce(level)) levels.push(level);
  }
}
