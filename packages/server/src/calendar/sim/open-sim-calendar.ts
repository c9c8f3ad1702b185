// The calendar of the simulated markets as a source.
import { DAY_MS } from '@tickwire/engine';
import { SimSource } from '../../documents/sim-source.ts';
import type { Source } from '../../documents/source.ts';
import type { Noise } from '../../market/feeds/sim/noise.ts';
import type { Log } from '../../ops/log.ts';
import type { RawCalendarEvent, TakeCalendar } from '../raw-event.ts';
import { ANNOUNCED_DAYS, simCalendar } from './sim-events.ts';

/** After a start, the calendar goes back this far. */
const PAST_DAYS = 7;

export interface OpenSimCalendarOptions {
  /** Of the headlines of the simulated markets. */
  readonly noise: Noise;
  readonly take: TakeCalendar;
  readonly now: () => number;
  readonly log: Log;
}

export function openSimCalendar({ noise, take, now, log }: OpenSimCalendarOptions): Source {
  /** States of the days around `day` that are not delivered yet, in the order in which they become known. */
  let waiting: RawCalendarEvent[] = [];
  let day = Number.NaN;
  const prepare = (today: number, since: number): void => {
    if (today === day) return;
    const days = Array.from({ length: PAST_DAYS + ANNOUNCED_DAYS + 2 }, (_, index) => today - PAST_DAYS + index);
    const states = days.flatMap((each) => simCalendar(noise, each)).filter(({ knownAt }) => knownAt! > since);
    waiting = states.sort((a, b) => a.knownAt! - b.knownAt!);
    day = today;
  };
  return new SimSource({
    what: 'simulated calendar events',
    now,
    log,
    async deliver(since, time) {
      prepare(Math.floor(time / DAY_MS), since);
      const due = waiting.findIndex(({ knownAt }) => knownAt! > time);
      const states = waiting.slice(0, due < 0 ? undefined : due);
      if (states.length === 0) return null;
      await take(states);
      waiting.splice(0, states.length);
      return { items: states.length, lastItemAt: time };
    },
  });
}
