// Bars of one instrument in six timeframes, by the event's own time, aligned to UTC.
//
// Only the one-minute bar is touched by a tick; a longer bar is the fold of the minutes under it, so the two can never
// disagree. A bar closes when the clock, or a tick of a later minute, reaches its end.
//
// Prices: trades, from the first minute after the instrument's first trade on; before that the bid, with the bid size
// (or 1) as volume. Trades count in bidVolume and askVolume from the first one.
//
// Late ticks, whose minute has closed: up to LATE_WINDOW_MS behind they amend their closed bars (high, low and volume
// always; open and close where they are the earliest or latest by time); later ones leave the bars as they are.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { addFlow, addPrice, barOf, blank, type Draft, draftOf, fold } from './bar-draft.ts';
import type { EpochMs, MarketSymbol } from './brands.ts';
import type { Bar, BarBasis, BarEvent, Side } from './events.ts';

export const LATE_WINDOW_MS = 600_000;
const MINUTE = TIMEFRAME_MS['1m'];
const LONGER = TIMEFRAMES.slice(1) as Exclude<Timeframe, '1m'>[];

const bucketOf = (time: number, length: number): number => time - (time % length);

export type EmitBar = (event: BarEvent) => void;
export type BarHistory = Partial<Record<Timeframe, readonly Bar[]>>;

export class BarSeries {
  /** Ticks that came too late to count in any bar. */
  late = 0;
  readonly #symbol: MarketSymbol;
  readonly #emit: EmitBar;
  #minute = blank(0);
  /** Bars are made of trades from this minute on. */
  #tradesFrom = Number.POSITIVE_INFINITY;
  readonly #longer = new Map<Timeframe, Draft>(LONGER.map((timeframe) => [timeframe, blank(0)]));
  /** Closed bars a late tick may still amend, oldest first. */
  readonly #closed = new Map<Timeframe, Draft[]>(TIMEFRAMES.map((timeframe) => [timeframe, []]));

  constructor(symbol: MarketSymbol, emit: EmitBar) {
    this.#symbol = symbol;
    this.#emit = emit;
  }

  quote(time: number, bid: number, size: number): void {
    const start = bucketOf(time, MINUTE);
    if (start > this.#minute.start) this.#roll(start);
    if (start >= this.#tradesFrom) return;
    if (start < this.#minute.start) this.#amend(start, time, bid, size || 1, 'bid', null);
    else addPrice(this.#minute, time, bid, size || 1, 'bid');
  }

  trade(time: number, price: number, size: number, side: Side): void {
    const start = bucketOf(time, MINUTE);
    if (start > this.#minute.start) this.#roll(start);
    if (this.#tradesFrom === Number.POSITIVE_INFINITY) this.#tradesFrom = start + MINUTE;
    const priced = start >= this.#tradesFrom;
    if (start < this.#minute.start) {
      this.#amend(start, time, priced ? price : null, size, 'trade', side);
      return;
    }
    if (priced) addPrice(this.#minute, time, price, size, 'trade');
    addFlow(this.#minute, size, side);
  }

  /** A minute that is known only as a bar. One that has a price of its own already stays as it is; one that runs is none. */
  whole(bar: Bar): void {
    if (bar.partial) return;
    if (bar.time < this.#minute.start) {
      this.#insert(bar);
      return;
    }
    if (bar.time > this.#minute.start) this.#roll(bar.time);
    if (this.#minute.priced) return;
    this.#minute = draftOf(bar, bar.time, bar.time + MINUTE - 1);
    if (bar.basis === 'trade') this.#tradesFrom = Math.min(this.#tradesFrom, bar.time);
  }

  /** The clock reached `time`: whatever ended by then closes. */
  advance(time: number): void {
    const start = bucketOf(time, MINUTE);
    if (start > this.#minute.start) this.#roll(start);
  }

  /** The bar that is still open, or null where the interval has no price yet. */
  forming(timeframe: Timeframe): Bar | null {
    const minute = this.#minute;
    if (timeframe === '1m') return minute.priced ? barOf(minute) : null;
    const draft = this.#longer.get(timeframe)!;
    if (!minute.priced) return draft.priced ? barOf(draft) : null;
    const whole = draft.priced ? { ...draft } : blank(bucketOf(minute.start, TIMEFRAME_MS[timeframe]));
    fold(whole, minute, minute.start, minute.start);
    return barOf(whole);
  }

  /** Takes up again at `from` (a minute's start), given the closed bars before it in ascending order. */
  restore(history: BarHistory, from: EpochMs): void {
    this.#minute = blank(from);
    let shorter: Draft | undefined;
    let shorterTimeframe: Timeframe = '1m';
    for (const timeframe of TIMEFRAMES) {
      const bars = (history[timeframe] ?? []).filter((bar) => bar.time + TIMEFRAME_MS[timeframe] <= from);
      const recent = bars.filter((bar) => bar.time + TIMEFRAME_MS[timeframe] > from - LATE_WINDOW_MS);
      // When open and close were set is forgotten by now: they count as set by the very edges, and stay.
      this.#closed.set(
        timeframe,
        recent.map((bar) => draftOf(bar, bar.time, bar.time + TIMEFRAME_MS[timeframe] - 1)),
      );
      if (bars.at(-1)?.basis === 'trade') this.#tradesFrom = 0;
      if (timeframe !== '1m') {
        const draft = blank(bucketOf(from, TIMEFRAME_MS[timeframe]));
        for (const bar of history[shorterTimeframe] ?? []) {
          const end = bar.time + TIMEFRAME_MS[shorterTimeframe];
          if (bar.time >= draft.start && end <= from) fold(draft, bar, bar.time, end - MINUTE);
        }
        if (shorter?.priced) fold(draft, shorter, shorter.openAt, shorter.closeAt);
        this.#longer.set(timeframe, draft);
        shorter = draft;
      }
      shorterTimeframe = timeframe;
    }
  }

  #roll(start: number): void {
    const ended = this.#minute;
    if (ended.priced) {
      for (const timeframe of LONGER) {
        const draft = this.#longer.get(timeframe)!;
        if (!draft.priced) draft.start = bucketOf(ended.start, TIMEFRAME_MS[timeframe]);
        fold(draft, ended, ended.start, ended.start);
      }
      this.#close('1m', ended);
    }
    this.#minute = blank(start);
    for (const timeframe of LONGER) {
      const draft = this.#longer.get(timeframe)!;
      if (!draft.priced || draft.start + TIMEFRAME_MS[timeframe] > start) continue;
      this.#longer.set(timeframe, blank(bucketOf(start, TIMEFRAME_MS[timeframe])));
      this.#close(timeframe, draft);
    }
  }

  #close(timeframe: Timeframe, draft: Draft): void {
    const closed = this.#closed.get(timeframe)!;
    closed.push(draft);
    const horizon = this.#minute.start - LATE_WINDOW_MS - TIMEFRAME_MS[timeframe];
    while (closed.length > 0 && closed[0]!.start < horizon) closed.shift();
    this.#publish(timeframe, draft, false);
  }

  #publish(timeframe: Timeframe, draft: Draft, amended: boolean): void {
    this.#emit({ kind: 'bar', symbol: this.#symbol, timeframe, bar: barOf(draft), amended });
  }

  #amend(start: number, time: number, price: number | null, size: number, basis: BarBasis, side: Side | null): void {
    if (start < this.#minute.start - LATE_WINDOW_MS) {
      this.late++;
      return;
    }
    const minute = this.#closedDraft('1m', start);
    if (price !== null) addPrice(minute, time, price, size, basis);
    if (side) addFlow(minute, size, side);
    if (!minute.priced) return;
    this.#publish('1m', minute, true);
    for (const timeframe of LONGER) {
      const bucket = bucketOf(start, TIMEFRAME_MS[timeframe]);
      const forming = bucket === bucketOf(this.#minute.start, TIMEFRAME_MS[timeframe]);
      const draft = forming ? this.#longer.get(timeframe)! : this.#closedDraft(timeframe, bucket);
      if (!draft.priced) draft.start = bucket;
      if (price !== null) {
        addPrice(draft, start, price, size, basis);
        // Within its own minute the late tick may be neither first nor last: the minute knows.
        if (draft.openAt === start) draft.open = minute.open;
        if (draft.closeAt === start) draft.close = minute.close;
      }
      if (side) addFlow(draft, size, side);
      if (!forming) this.#publish(timeframe, draft, true);
    }
  }

  /** A whole minute that comes late: it fills its place if that is empty. */
  #insert(bar: Bar): void {
    if (bar.time < this.#minute.start - LATE_WINDOW_MS) {
      this.late++;
      return;
    }
    const minute = this.#closedDraft('1m', bar.time);
    if (minute.priced) return;
    Object.assign(minute, draftOf(bar, bar.time, bar.time + MINUTE - 1));
    this.#publish('1m', minute, true);
    for (const timeframe of LONGER) {
      const bucket = bucketOf(bar.time, TIMEFRAME_MS[timeframe]);
      const forming = bucket === bucketOf(this.#minute.start, TIMEFRAME_MS[timeframe]);
      const draft = forming ? this.#longer.get(timeframe)! : this.#closedDraft(timeframe, bucket);
      if (!draft.priced) draft.start = bucket;
      fold(draft, bar, bar.time, bar.time);
      if (!forming) this.#publish(timeframe, draft, true);
    }
  }

  /** The closed draft that starts at `start`; a new one in its place where the interval had no bar. */
  #closedDraft(timeframe: Timeframe, start: number): Draft {
    const closed = this.#closed.get(timeframe)!;
    let index = closed.length;
    while (index > 0 && closed[index - 1]!.start > start) index--;
    const found = closed[index - 1];
    if (found?.start === start) return found;
    const fresh = blank(start);
    closed.splice(index, 0, fresh);
    return fresh;
  }
}
