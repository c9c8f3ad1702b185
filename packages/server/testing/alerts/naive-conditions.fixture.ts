// What the conditions of the naive judge look at, and when those happen that are not the crossing of a level.
import { type AlertCondition, CALENDAR_IMPACTS, type SimpleCondition } from '@tickwire/contract';
import type { AlertSpec, CalendarInput } from '@tickwire/engine';
import { type Moment, TOUCH, touchClose, touchForming, touchLines } from './naive-moments.fixture.ts';

export type Direction = 'above' | 'below' | 'up' | 'down';

const STATES = new Set(['volume', 'delta', 'spread', 'stale']);
export const isState = (condition: SimpleCondition): boolean => STATES.has(condition.type) || 'is' in condition;
export const PULSES = new Set(['bar_close', 'absorption', 'headline', 'signal', 'calendar', 'market']);

/** A crossing or state in one direction. */
export interface Side {
  readonly condition: SimpleCondition;
  readonly direction: Direction;
  armedAt: number | null;
  /** Ticks by which the price has to be back; `null` if the alert has not fired since it was armed. */
  back: number | null;
  /** The same for a move, in percent. */
  backPercent: number;
}

/** Events of the calendar and when an alert is due before them. */
export class NaiveCalendar {
  readonly #condition: Extract<SimpleCondition, { type: 'calendar' }>;
  readonly #spec: AlertSpec;
  readonly #set: number;
  readonly #known = new Map<
    string,
    { readonly item: CalendarInput; readonly knownAt: number; readonly isOld: boolean; told: boolean }
  >();

  constructor(condition: Extract<SimpleCondition, { type: 'calendar' }>, spec: AlertSpec, set: number) {
    this.#condition = condition;
    this.#spec = spec;
    this.#set = set;
  }

  due({ event, clock, seq }: Moment): { readonly time: number; readonly cause: string }[] {
    if (event.kind === 'calendar_item')
      this.#change(event, Number.isNaN(clock) ? Number.NEGATIVE_INFINITY : clock, seq <= this.#spec.sinceSeq);
    const { minutes, impact, country } = this.#condition;
    const due: { readonly time: number; readonly cause: string; readonly order: number; readonly id: string }[] = [];
    for (const known of this.#known.values()) {
      const { item, knownAt, told, isOld } = known;
      const order = item.time - minutes * 60_000;
      const time = Math.max(order, knownAt);
      if (told || knownAt >= item.time || !(clock >= time)) continue;
      known.told = true;
      if (isOld && time <= this.#set) continue;
      if (CALENDAR_IMPACTS.indexOf(item.impact) < CALENDAR_IMPACTS.indexOf(impact)) continue;
      if (country !== undefined && item.country !== country) continue;
      if (this.#spec.symbol !== null && !item.symbols.includes(this.#spec.symbol)) continue;
      due.push({ time, cause: `calendar:${item.id}:${item.time}`, order, id: item.id });
    }
    return due.sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
  }

  #change(item: CalendarInput, clock: number, isOld: boolean): void {
    const known = this.#known.get(item.id);
    if (item.allDay || item.cancelled) this.#known.delete(item.id);
    else if (known?.item.time === item.time) this.#known.set(item.id, { ...known, item });
    else this.#known.set(item.id, { item, knownAt: clock, isOld, told: false });
  }
}

export const conditionsIn = (condition: AlertCondition): readonly SimpleCondition[] =>
  condition.type === 'all' ? condition.of : [condition];

export function sidesOf(condition: SimpleCondition): Side[] {
  const side = (direction: Direction): Side => ({ condition, direction, armedAt: null, back: null, backPercent: 0 });
  switch (condition.type) {
    case 'trend_line':
      return condition.cross === 'either' ? [side('above'), side('below')] : [side(condition.cross)];
    case 'price':
    case 'indicator': {
      const direction = ('touch' in condition ? condition.touch : undefined) ?? condition.cross ?? condition.is!;
      return direction === 'either' ? [side('above'), side('below')] : [side(direction)];
    }
    case 'move':
      return condition.direction === 'either' ? [side('up'), side('down')] : [side(condition.direction)];
    case 'delta':
      return [side(condition.above === undefined ? 'below' : 'above')];
    default:
      return [side('above')];
  }
}

export function touchesOf(condition: SimpleCondition): number {
  switch (condition.type) {
    case 'price':
      if (condition.side === 'bid') return TOUCH.bid | TOUCH.lateBid;
      return condition.side === 'ask' ? TOUCH.ask | TOUCH.lateAsk : TOUCH.trade | TOUCH.lateTrade;
    case 'move':
      return TOUCH[condition.side];
    case 'bar_close':
      return touchClose(condition.interval);
    case 'trend_line':
    case 'indicator':
      return touchLines(condition.interval);
    case 'volume':
    case 'delta':
      return touchForming(condition.interval);
    case 'spread':
      return TOUCH.spread;
    case 'stale':
      return TOUCH.age;
    default:
      return TOUCH[condition.type];
  }
}

export const isLateFor = (condition: SimpleCondition, { touches }: Moment): boolean =>
  (touchesOf(condition) & touches & (TOUCH.lateBid | TOUCH.lateAsk | TOUCH.lateTrade)) !== 0;

export function happens(condition: SimpleCondition, moment: Moment, { symbol }: AlertSpec): boolean {
  const { event } = moment;
  switch (condition.type) {
    case 'bar_close':
      return condition.close === 'above' ? moment.price > condition.level : moment.price < condition.level;
    case 'absorption':
      return condition.side === 'either' || condition.side === moment.absorption;
    case 'market':
      return moment.session === condition.state;
    case 'headline':
      if (event.kind !== 'headline' || (symbol !== null && !event.sentiments.has(symbol))) return false;
      if (condition.category !== undefined && condition.category !== event.category) return false;
      if (condition.sentiment !== undefined) {
        const own = symbol === null ? event.sentiment : event.sentiments.get(symbol);
        if (condition.sentiment !== own) return false;
      }
      return !condition.words || condition.words.some((word) => new RegExp(`\\b${word}\\b`, 'i').test(event.title));
    case 'signal':
      if (event.kind !== 'signal_happening' || (symbol !== null && event.symbol !== symbol)) return false;
      if (!condition.events.includes(event.happening)) return false;
      return (
        condition.publisher === undefined ||
        [event.publisher.id, event.publisher.name].some(
          (name) => name.toLowerCase() === condition.publisher!.toLowerCase(),
        )
      );
    default:
      return false;
  }
}

export function pulsePrice(condition: SimpleCondition, { event, price }: Moment): number | null {
  if (event.kind === 'signal_happening') return event.price;
  return condition.type === 'bar_close' || condition.type === 'absorption' ? price : null;
}
