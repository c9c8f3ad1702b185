// Calendar events and the alerts that are due some minutes before them. Driven by the clock and by changes of the calendar.
import { CALENDAR_IMPACTS, type SimpleCondition } from '@tickwire/contract';
import { asEpochMs, DAY_MS, MINUTE_MS } from '../market/time.ts';
import { type HeapLevel, LevelHeap } from '../signals/level-heap.ts';
import type { CalendarInput } from './alert.ts';
import type { JudgedAlert } from './judged-alert.ts';
import type { JudgingContext } from './judging-context.ts';

export type CalendarCondition = Extract<SimpleCondition, { type: 'calendar' }>;

interface KnownEvent {
  readonly item: CalendarInput;
  /** Clock at which its time became known; −Infinity if that was before the first clock event. */
  readonly knownAt: number;
}

interface DueEvent {
  readonly event: KnownEvent;
  readonly minutes: number;
}

export class CalendarSchedule {
  readonly #context: JudgingContext;
  readonly #events = new Map<string, KnownEvent>();
  /** Alerts by their minutes before the event. */
  readonly #alerts = new Map<number, Map<JudgedAlert, CalendarCondition>>();
  readonly #due = new LevelHeap<DueEvent>();
  #clock = Number.NEGATIVE_INFINITY;
  /** Clock of the saved states: what was due by then has been judged. */
  #judgedUntil = Number.NEGATIVE_INFINITY;
  #sweepAt = Number.NEGATIVE_INFINITY;
  #hasRun = false;

  constructor(context: JudgingContext) {
    this.#context = context;
  }

  add(alert: JudgedAlert, condition: CalendarCondition): void {
    const { minutes } = condition;
    let alerts = this.#alerts.get(minutes);
    if (!alerts) {
      alerts = new Map();
      this.#alerts.set(minutes, alerts);
      for (const event of this.#events.values())
        if (event.item.time - minutes * MINUTE_MS > this.#clock || this.#isMissed(event))
          this.#schedule(event, minutes);
    }
    alerts.set(alert, condition);
    alert.leave.push(() => {
      alerts.delete(alert);
      if (alerts.size > 0 || this.#alerts.get(minutes) !== alerts) return;
      this.#alerts.delete(minutes);
      this.#due.keep((level) => this.#isScheduled(level));
    });
  }

  restore(clock: number): void {
    this.#clock = Math.max(this.#clock, clock);
    this.#judgedUntil = Math.max(this.#judgedUntil, clock);
  }

  readItem(seq: number | null, item: CalendarInput): void {
    const known = this.#events.get(item.id);
    if (item.cancelled || item.allDay) {
      this.#events.delete(item.id);
      return;
    }
    // Its schedule stays unless it is moved.
    const moved = known?.item.time !== item.time;
    if (!moved) {
      Object.assign(known.item, item);
      return;
    }
    const event = { item: { ...item }, knownAt: this.#hasRun ? this.#clock : Number.NEGATIVE_INFINITY };
    this.#events.set(item.id, event);
    if (event.knownAt >= item.time) return;
    for (const minutes of this.#alerts.keys()) this.#schedule(event, minutes);
    this.#fireDue(seq);
  }

  readClock(seq: number | null, time: number): void {
    this.#hasRun = true;
    this.#clock = Math.max(this.#clock, time);
    this.#fireDue(seq);
    if (time < this.#sweepAt) return;
    this.#sweepAt = time + DAY_MS;
    for (const [id, { item }] of this.#events) if (item.time < time - DAY_MS) this.#events.delete(id);
    this.#due.keep((level) => this.#isScheduled(level));
  }

  #isScheduled({ owner: { event, minutes } }: HeapLevel<DueEvent>): boolean {
    return this.#events.get(event.item.id) === event && this.#alerts.has(minutes);
  }

  #schedule(event: KnownEvent, minutes: number): void {
    const due = event.item.time - minutes * MINUTE_MS;
    this.#due.push({ key: due, owner: { event, minutes } });
  }

  #fireDue(seq: number | null): void {
    const reached: HeapLevel<DueEvent>[] = [];
    for (let due = this.#due.popReached(this.#clock); due; due = this.#due.popReached(this.#clock))
      if (this.#isScheduled(due)) reached.push(due);
    reached.sort((a, b) => a.key - b.key || (a.owner.event.item.id < b.owner.event.item.id ? -1 : 1));
    for (const { key, owner } of reached) this.#fire(seq, key, owner);
  }

  /** The run before stored the event after the last clock event that it judged. */
  #isMissed({ item: { time, updatedAt }, knownAt }: KnownEvent): boolean {
    if (knownAt !== Number.NEGATIVE_INFINITY || updatedAt === undefined) return false;
    return Number.isFinite(this.#judgedUntil) && updatedAt > this.#judgedUntil && updatedAt < time;
  }

  #fire(seq: number | null, due: number, { event, minutes }: DueEvent): void {
    const { item } = event;
    const knownAt = this.#isMissed(event) ? item.updatedAt! : event.knownAt;
    if (knownAt === Number.NEGATIVE_INFINITY && due <= this.#judgedUntil) return;
    const at = asEpochMs(item.time);
    this.#context.begin(seq, asEpochMs(Math.max(due, knownAt)), `calendar:${item.id}:${at}`);
    for (const [alert, condition] of [...(this.#alerts.get(minutes) ?? [])])
      if (concerns(item, condition, alert)) alert.happen(null, { kind: 'calendar', title: item.title, at });
  }
}

function concerns(item: CalendarInput, { impact, country }: CalendarCondition, { spec }: JudgedAlert): boolean {
  if (CALENDAR_IMPACTS.indexOf(item.impact) < CALENDAR_IMPACTS.indexOf(impact)) return false;
  if (country !== undefined && item.country !== country) return false;
  return spec.symbol === null || item.symbols.includes(spec.symbol);
}
