// Composes the economic calendar of a service: sources, intake and feed, with the events of the previous run restored.
import { DAY_MS, type InstrumentSpec } from '@tickwire/engine';
import type { Config } from '../config/config.ts';
import type { Source, SourceStatus } from '../documents/source.ts';
import { hiddenSource } from '../documents/source.ts';
import type { Journal } from '../journal/journal.ts';
import { noiseOfSeed } from '../market/feeds/sim/seed-keys.ts';
import { simSeed } from '../market/feeds/sim/sim-seed.ts';
import type { Log } from '../ops/log.ts';
import type { Store } from '../store/store.ts';
import { CalendarFeed } from './calendar-feed.ts';
import { CalendarIntake } from './calendar-intake.ts';
import { AffectedInstruments } from './currencies.ts';
import { openSimCalendar } from './sim/open-sim-calendar.ts';
import { openCalendarSources } from './sources/open-sources.ts';

export interface OpenCalendarOptions {
  readonly config: Pick<Config, 'calendar' | 'calendar_days' | 'sim_seed' | 'proxies'>;
  readonly instruments: readonly InstrumentSpec[];
  readonly store: Pick<Store, 'calendar' | 'market'>;
  readonly journal: Journal;
  readonly now: () => number;
  readonly log: Log;
}

export interface Calendar {
  readonly feed: CalendarFeed;
  readonly intake: CalendarIntake;
  statuses(): readonly SourceStatus[];
  start(): void;
  stop(): Promise<void>;
  prune(now: number): Promise<number>;
}

export async function openCalendar(options: OpenCalendarOptions): Promise<Calendar> {
  const { config, instruments, store, journal, now, log } = options;
  const feed = new CalendarFeed({ store: store.calendar, except: hiddenSource(config.calendar) });
  const affected = new AffectedInstruments(instruments);
  const intake = new CalendarIntake({ store: store.calendar, journal, affected, now });
  await feed.restore(now());
  const source = await openSource();
  return {
    feed,
    intake,
    statuses: () => source?.statuses() ?? [],
    start: () => source?.start(),
    async stop() {
      await source?.stop();
      await intake.settle();
    },
    prune: (time) => store.calendar.prune(time - config.calendar_days * DAY_MS),
  };

  async function openSource(): Promise<Source | null> {
    if (config.calendar === 'none') return null;
    if (config.calendar !== 'sim')
      return openCalendarSources({ setting: config.calendar, take: intake.take, now, log, proxies: config.proxies });
    const seed = await simSeed(store.market, config.sim_seed);
    return openSimCalendar({ noise: noiseOfSeed(seed).named('news'), take: intake.take, now, log });
  }
}
