// The naive judge of alerts: looks at every moment for every alert and applies the rules in docs/reference/alerts.md one by one.
import { type SimpleCondition, TIMEFRAME_MS } from '@tickwire/contract';
import type { AlertSpec, InstrumentSpec } from '@tickwire/engine';
import {
  conditionsIn,
  type Direction,
  happens,
  isLateFor,
  isState,
  NaiveCalendar,
  PULSES,
  pulsePrice,
  type Side,
  sidesOf,
  touchesOf,
} from './naive-conditions.fixture.ts';
import { INTERVALS, type Moment, type NaiveMarket, TOUCH } from './naive-moments.fixture.ts';

export interface NaiveFiring {
  readonly index: number;
  readonly cause: string;
  readonly time: number;
  readonly price: number | null;
}

export class NaiveAlert {
  readonly firings: NaiveFiring[] = [];
  readonly #spec: AlertSpec;
  readonly #market: NaiveMarket;
  readonly #digits: number;
  /** By side and minutes: number of prices before the first alert on this move was set. */
  readonly #movesFrom: ReadonlyMap<string, number>;
  readonly #conditions: readonly SimpleCondition[];
  /** By interval: the version of the closed bars when it was set. */
  #barsBefore: readonly number[] = [];
  #armed = false;
  #done = false;
  /** Event that fired it last. */
  #firedBy = -1;
  #fired: number | null = null;
  #barEnd: number | null = null;
  readonly #causes = new Set<string>();

  constructor(
    spec: AlertSpec,
    instrument: InstrumentSpec,
    market: NaiveMarket,
    movesFrom: ReadonlyMap<string, number>,
  ) {
    this.#spec = spec;
    this.#market = market;
    this.#digits = instrument.digits;
    this.#movesFrom = movesFrom;
    this.#conditions = conditionsIn(spec.condition);
  }

  /** `set`: the alert is set before this event. */
  judge(set: number): this {
    const conditions = this.#conditions;
    const mask = conditions.reduce((bits, condition) => bits | touchesOf(condition), 0);
    const moment = conditions.find((condition) => !isState(condition));
    const states = conditions.filter((condition) => condition !== moment).flatMap((condition) => sidesOf(condition));
    const moments = this.#market.moments;
    let before: Moment | null = null;
    let first = 0;
    for (; first < moments.length && moments[first]!.index < set; first++) before = moments[first]!;
    this.#barsBefore = before?.bars ?? [];
    if (moment && PULSES.has(moment.type)) return this.#judgePulse(moment, states, moments, first, mask, before);
    if (!moment && states.length > 1) return this.#judgeTogether(states, moments, first, mask, before);
    const crossing = moment ?? conditions[0]!;
    return this.#judgeCrossing(crossing, moment ? states : [], moments, first, before);
  }

  #judgeCrossing(
    crossing: SimpleCondition,
    states: readonly Side[],
    moments: readonly Moment[],
    first: number,
    before: Moment | null,
  ): this {
    const [sides, mask] = [sidesOf(crossing), touchesOf(crossing)];
    if (before) for (const side of sides) if (this.#isBack(side, before)) side.armedAt = this.#spec.sinceTime;
    for (let index = first; index < moments.length && !this.#done; index++) {
      const moment = moments[index]!;
      if ((moment.touches & mask) === 0) continue;
      if (isLateFor(crossing, moment)) {
        if (states.length > 0) continue;
        for (const side of sides) {
          if (side.armedAt === null || side.armedAt > moment.time || !this.#isBeyondPrice(side, moment.price)) continue;
          if (!this.#fire(moment, moment.price)) continue;
          this.#disarm(sides, moment);
          break;
        }
        continue;
      }
      for (const side of sides) {
        if (side.armedAt !== null) {
          if (!this.#isBeyond(side, moment)) continue;
          const fired =
            states.every((state) => this.#isBeyond(state, moment)) && this.#fire(moment, this.#value(side, moment));
          side.armedAt = null;
          side.back = null;
          if (fired) this.#disarm(sides, moment);
        } else if (this.#firedBy !== moment.index && this.#isBack(side, moment)) side.armedAt = moment.time;
      }
    }
    return this;
  }

  #disarm(sides: readonly Side[], moment: Moment): void {
    for (const side of sides) {
      side.armedAt = null;
      side.back = Math.max(this.#spread(moment), 2);
      if (side.condition.type !== 'move') continue;
      side.backPercent = side.condition.percent - (side.back * 100) / this.#scaled(moment[side.condition.side]);
    }
  }

  #judgeTogether(
    states: readonly Side[],
    moments: readonly Moment[],
    first: number,
    mask: number,
    before: Moment | null,
  ): this {
    if (before) this.#armed = states.some((state) => this.#isBack(state, before));
    for (let index = first; index < moments.length && !this.#done; index++) {
      const moment = moments[index]!;
      if ((moment.touches & mask) === 0) continue;
      if (!this.#armed) {
        if (this.#firedBy === moment.index) continue;
        if (states.some((state) => this.#touched(state, moment) && this.#isBack(state, moment))) this.#armed = true;
        continue;
      }
      if (!states.every((state) => this.#isBeyond(state, moment))) continue;
      // The state that began last gives the value.
      const begun = states.filter((state) => this.#touched(state, moment));
      const fired = this.#fire(moment, begun.length === 1 ? this.#value(begun[0]!, moment) : Number.NaN);
      this.#armed = false;
      for (const state of states) state.back = fired ? Math.max(this.#spread(moment), 2) : null;
    }
    return this;
  }

  #judgePulse(
    pulse: SimpleCondition,
    states: readonly Side[],
    moments: readonly Moment[],
    first: number,
    mask: number,
    before: Moment | null,
  ): this {
    const pulseMask = touchesOf(pulse);
    const calendar =
      pulse.type === 'calendar' ? new NaiveCalendar(pulse, this.#spec, before?.clock ?? Number.NaN) : null;
    for (let index = calendar ? 0 : first; index < moments.length && !this.#done; index++) {
      const moment = moments[index]!;
      if ((moment.touches & mask & pulseMask) === 0) continue;
      const hold = (): boolean => states.every((state) => this.#isBeyond(state, moment));
      if (calendar) {
        for (const { time, cause } of calendar.due(moment))
          if (index >= first && !this.#done && hold()) this.#fire({ ...moment, time, cause }, null);
      } else if (happens(pulse, moment, this.#spec) && hold()) this.#fire(moment, pulsePrice(pulse, moment));
    }
    return this;
  }

  #touched({ condition }: Side, moment: Moment): boolean {
    return (touchesOf(condition) & ~(TOUCH.lateBid | TOUCH.lateAsk | TOUCH.lateTrade) & moment.touches) !== 0;
  }

  #scaled(price: number): number {
    const scaled = price * 10 ** this.#digits;
    const whole = Math.round(scaled);
    return Math.abs(scaled - whole) < 1e-5 ? whole : scaled;
  }

  #spread({ quote }: Moment): number {
    return Number.isNaN(quote.ask) ? 0 : this.#scaled(quote.ask) - this.#scaled(quote.bid);
  }

  #isBeyondPrice({ condition, direction }: Side, price: number): boolean {
    if (condition.type !== 'price') return false;
    const distance = (this.#scaled(price) - this.#scaled(condition.level)) * (direction === 'above' ? 1 : -1);
    return condition.touch ? distance >= 0 : distance > 0;
  }

  /** The value and what it is compared with, both so that larger is further beyond. */
  #compared({ condition, direction }: Side, moment: Moment): { value: number; level: number; atLevel: boolean } {
    const sign = direction === 'below' ? -1 : 1;
    const of = (value: number, level: number, atLevel = false) => ({
      value: sign * value,
      level: sign * level,
      atLevel,
    });
    switch (condition.type) {
      case 'price':
        return of(this.#scaled(moment[condition.side]), this.#scaled(condition.level), condition.touch !== undefined);
      case 'spread':
        return of(this.#scaled(moment.quote.ask) - this.#scaled(moment.quote.bid), this.#scaled(condition.above));
      case 'stale':
        return of(moment.age, condition.seconds * 1_000, true);
      case 'volume':
        return of(moment.volume[INTERVALS.indexOf(condition.interval as never)]!, condition.above);
      case 'delta':
        return of(moment.delta[INTERVALS.indexOf(condition.interval as never)]!, (condition.above ?? condition.below)!);
      case 'indicator': {
        const version = moment.bars[INTERVALS.indexOf(condition.interval as never)]!;
        const { indicator, line, interval, other, other_line } = condition;
        const value = this.#market.line(indicator, line, interval, version);
        if (other === undefined) return of(value, condition.value!);
        return of(value - this.#market.line(other, other_line, interval, version), 0);
      }
      case 'trend_line': {
        const { close, level } = this.#onTrendLine(condition, moment);
        // Noise of fractions is not a crossing.
        return of(Math.round((close - level) * 10 ** (this.#digits + 6)) / 1e6, 0);
      }
      case 'move':
        return { value: this.#moved(condition, direction, moment), level: condition.percent, atLevel: true };
      default:
        throw new Error(`${condition.type} has no level`);
    }
  }

  #onTrendLine(condition: Extract<SimpleCondition, { type: 'trend_line' }>, { bars }: Moment) {
    const at = INTERVALS.indexOf(condition.interval as never);
    const since = { version: this.#barsBefore[at] ?? 0, time: this.#spec.sinceTime };
    return this.#market.onTrendLine(condition, since, bars[at]!);
  }

  #isBeyond(side: Side, moment: Moment): boolean {
    const { value, level, atLevel } = this.#compared(side, moment);
    return atLevel ? value >= level : value > level;
  }

  #isBack(side: Side, moment: Moment): boolean {
    const { value, level, atLevel } = this.#compared(side, moment);
    if (side.back === null || (side.condition.type !== 'price' && side.condition.type !== 'move'))
      return atLevel ? value < level : value <= level;
    if (side.condition.type === 'price') return value <= level - side.back;
    return value <= Math.max(0, side.backPercent);
  }

  #moved({ side, minutes }: Extract<SimpleCondition, { type: 'move' }>, direction: Direction, moment: Moment): number {
    const prices = this.#market.prices[side];
    const count = moment.counts[side];
    const from = this.#movesFrom.get(`${side}:${minutes}`)!;
    if (count === 0) return Number.NaN;
    const { time, price } = prices[count - 1]!;
    let [low, high] = [price, price];
    for (let index = count - 1; index >= Math.max(0, from - 1); index--) {
      const past = prices[index]!;
      // A price stands until the next one.
      if (index < count - 1 && prices[index + 1]!.time <= time - minutes * 60_000) break;
      if (past.price < low) low = past.price;
      if (past.price > high) high = past.price;
    }
    const [now, lowest, highest] = [price, low, high].map((each) => this.#scaled(each)) as [number, number, number];
    return direction === 'up' ? ((now - lowest) * 100) / lowest : ((highest - now) * 100) / highest;
  }

  #value({ condition }: Side, moment: Moment): number | null {
    switch (condition.type) {
      case 'price':
      case 'move':
        return moment[condition.side];
      case 'spread':
        return (this.#scaled(moment.quote.ask) - this.#scaled(moment.quote.bid)) / 10 ** this.#digits;
      case 'volume':
        return moment.volume[INTERVALS.indexOf(condition.interval as never)]!;
      case 'delta':
        return moment.delta[INTERVALS.indexOf(condition.interval as never)]!;
      case 'indicator': {
        const version = moment.bars[INTERVALS.indexOf(condition.interval as never)]!;
        return this.#market.line(condition.indicator, condition.line, condition.interval, version);
      }
      case 'trend_line':
        return this.#onTrendLine(condition, moment).close;
      default:
        return null;
    }
  }

  #fire(moment: Moment, price: number | null): boolean {
    const { sinceSeq, sinceTime, expiresAt, repeat, cooldownMs } = this.#spec;
    const { seq, time, cause, isBar, index } = moment;
    const hasSourceTime = moment.event.kind === 'headline' || moment.event.kind === 'signal_happening';
    if (seq <= sinceSeq || (!hasSourceTime && time < sinceTime)) return false;
    if (expiresAt !== null && time >= expiresAt) return false;
    if (isBar && this.#barEnd !== null && time <= this.#barEnd) return false;
    if (this.#fired !== null) {
      const length = TIMEFRAME_MS[this.#barInterval()];
      if (repeat === 'once_per_bar' && Math.floor(time / length) <= Math.floor(this.#fired / length)) return false;
      if (cooldownMs > 0 && time < this.#fired + cooldownMs) return false;
    }
    if (this.#causes.has(cause)) return false;
    this.#causes.add(cause);
    this.#fired = Math.max(this.#fired ?? time, time);
    if (isBar) this.#barEnd = time;
    this.#firedBy = index;
    this.firings.push({ index, cause, time, price });
    if (repeat === 'once') this.#done = true;
    return true;
  }

  #barInterval() {
    if (this.#spec.interval) return this.#spec.interval;
    const timed = this.#conditions.find((condition) => 'interval' in condition) as { interval: '1m' } | undefined;
    return timed?.interval ?? '1m';
  }
}
