// Plays the recorded past of a session into its engine, and headlines, in the order of arrival. What is published depends on the events alone, not
// on the steps in which the clock moves.
import {
  asEpochMs,
  type ClockEvent,
  type Engine,
  type EngineEvent,
  type EpochMs,
  LATE_WINDOW_MS,
  MINUTE_MS,
} from '@tickwire/engine';
import type { JournalEvent } from '../journal/journal.ts';
import { pauses } from '../ops/pauses.ts';
import type { NewsTape } from './news-tape.ts';
import type { AnyPlayedEvent, PlayedEvent } from './played-event.ts';
import type { SymbolTape } from './symbol-tape.ts';

/** Events that are played before anything else is asked. */
const GROUP = 256;

/**
 * Whether to play on. It is called between two times of the past, with the number of events that come next. Others may run until a
 * promise resolves; the markets are then as of the clock.
 */
export type GoOn = (events: number) => boolean | Promise<boolean>;

export interface EventPlayerOptions {
  readonly engine: Engine;
  readonly tapes: readonly SymbolTape[];
  readonly news: NewsTape;
  /** Where the clock starts. Epoch milliseconds. */
  readonly base: number;
  /** Publishes what was made of events of one source. */
  readonly publish: (out: readonly JournalEvent[], source: string) => void;
  /** Whether each time of the past is published on its own. */
  readonly isStream: () => boolean;
  /** Publishes the last events of a time with `publish`. */
  readonly endTime: (time: number, publish: () => void) => void;
  /** Whether `goOn` is asked before each time, and not only before each group of events. */
  readonly asksEachTime: () => boolean;
  /** Whether the clock stays at the last event, however far it may go. */
  readonly isHeld: () => boolean;
}

export class EventPlayer {
  readonly #options: EventPlayerOptions;
  #clock: number;
  /** Time of the event that is played. */
  #eventTime = 0;
  /** Events that were read, and not played for want of room. */
  #unplayed: readonly AnyPlayedEvent[] = [];

  constructor(options: EventPlayerOptions) {
    this.#options = options;
    this.#clock = options.base;
  }

  /** Up to here everything is played. Epoch milliseconds. */
  get clock(): number {
    return this.#clock;
  }

  get eventTime(): number {
    return this.#eventTime;
  }

  /** Plays what happened from `start` up to the clock, which others are not told of as events of the replay. */
  async restore(start: number, publish: EventPlayerOptions['publish']): Promise<void> {
    for (let at = start; at < this.#clock; ) {
      at = Math.min(this.#clock, nextMinute(at));
      await this.#play(inOrder(await this.#next(at), at), () => true, publish);
    }
  }

  /**
   * Plays everything up to `to`, or until `goOn` returns false. It is called between two times of the past, with the number of events
   * that come next. Others run in between; the markets are then as of `clock`.
   */
  async advance(to: number, goOn: GoOn): Promise<void> {
    while (this.#clock < to) {
      const end = Math.min(to, nextMinute(this.#clock));
      const events = inOrder(await this.#next(end), end);
      const played = await this.#play(events, goOn, this.#options.publish);
      if (played < events.length) {
        const rest = events.slice(played).filter(({ event }) => event.kind !== 'clock');
        this.#unplayed = [...rest, ...this.#unplayed];
        this.#clock = Math.max(this.#clock, events[played - 1]?.arrival ?? this.#clock);
        return;
      }
      const last = events.at(-1);
      if (last && this.#options.isHeld()) {
        this.#clock = Math.max(this.#clock, last.arrival);
        return;
      }
      this.#clock = end;
    }
  }

  /** When the next event of the markets happens; `null` if none does by `to`. */
  async nextEvent(to: number): Promise<number | null> {
    const unplayed = this.#unplayed.find(({ event }) => event.kind !== 'news');
    if (unplayed) return unplayed.arrival;
    const times: number[] = [];
    for (const tape of this.#options.tapes) {
      const time = await tape.peek(to);
      if (time !== null) times.push(time);
    }
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The next events by `to`. */
  async #next(to: number): Promise<readonly AnyPlayedEvent[]> {
    const tapes = [...this.#options.tapes, this.#options.news];
    // Nothing is taken before everything is loaded: the store may fail.
    for (const tape of tapes) await tape.load(to);
    const events = this.#unplayed.filter(({ arrival }) => arrival <= to);
    this.#unplayed = this.#unplayed.slice(events.length);
    for (const tape of tapes) for (const event of tape.take(to)) events.push(event);
    return events.sort((a, b) => a.arrival - b.arrival);
  }

  /** Returns how many events were played. */
  async #play(events: readonly AnyPlayedEvent[], goOn: GoOn, publish: EventPlayerOptions['publish']): Promise<number> {
    const { engine, isStream, endTime, asksEachTime } = this.#options;
    const pause = pauses();
    /** What was made of the events of a time, which may have several sources. */
    const made: { readonly out: JournalEvent[]; readonly source: string }[] = [];
    let granted = 0;
    let since = 0;
    const flush = (): void => {
      for (const { out, source } of made.splice(0)) publish(out, source);
    };
    for (let at = 0; at < events.length; at++) {
      const each = events[at]!;
      if (each.arrival !== this.#eventTime) {
        // Messages of a stream are throttled by the time of the events.
        if (isStream()) endTime(this.#eventTime, flush);
        if (since >= granted) {
          const turn = pause();
          if (turn) {
            flush();
            this.#clock = Math.max(this.#clock, events[at - 1]?.arrival ?? this.#clock);
            await turn;
          }
          granted = asksEachTime() ? sameTime(events, at) : Math.min(GROUP, events.length - at);
          const goes = goOn(granted);
          if (typeof goes !== 'boolean') this.#clock = Math.max(this.#clock, events[at - 1]?.arrival ?? this.#clock);
          if (!(typeof goes === 'boolean' ? goes : await goes)) {
            flush();
            return at;
          }
          since = 0;
        }
        this.#eventTime = each.arrival;
      }
      if (made.at(-1)?.source !== each.source) made.push({ out: [], source: each.source });
      const { out } = made.at(-1)!;
      if (each.event.kind === 'news') out.push(each.event);
      // It only adds to them.
      else engine.apply(each.event, out as EngineEvent[]);
      since++;
    }
    if (events.length > 0) endTime(this.#eventTime, flush);
    return events.length;
  }
}

/** How many events have the time of the one at this index. */
function sameTime(events: readonly AnyPlayedEvent[], at: number): number {
  let end = at + 1;
  while (end < events.length && events[end]!.arrival === events[at]!.arrival) end++;
  return end - at;
}

/** At the end of a minute, bars of whole minutes come first, then the clock. */
export function inOrder<Event extends AnyPlayedEvent['event']>(
  events: readonly PlayedEvent<Event>[],
  end: number,
): readonly PlayedEvent<Event | ClockEvent>[] {
  if (end % MINUTE_MS !== 0) return events;
  const clock: PlayedEvent<ClockEvent> = { arrival: end, event: { kind: 'clock', time: asEpochMs(end) }, source: '' };
  const [before, atEnd] = [
    events.filter(({ arrival }) => arrival < end),
    events.filter(({ arrival }) => arrival >= end),
  ];
  const isMinute = ({ event }: PlayedEvent<Event>): boolean => event.kind === 'minute';
  return [...before, ...atEnd.filter(isMinute), clock, ...atEnd.filter((each) => !isMinute(each))];
}

export const nextMinute = (time: number): number => time - (time % MINUTE_MS) + MINUTE_MS;

/** Where the ticks are read from: late ones that arrive after `base` change no earlier minute. */
export const startOf = (base: number): EpochMs => asEpochMs(base - (base % MINUTE_MS) - LATE_WINDOW_MS);
