// Opens the sources of the setting TICKWIRE_CALENDAR: the built-in list, or the operator's file.
import type { ProxySettings } from '../../config/proxy.ts';
import type { Source } from '../../documents/source.ts';
import type { Log } from '../../ops/log.ts';
import type { TakeCalendar } from '../raw-event.ts';
import { BUILT_IN_CALENDARS } from './built-in-sources.ts';
import { CalendarParser } from './calendar-parser.ts';
import { CalendarPoller } from './calendar-poller.ts';
import { FileWatcher } from './file-watcher.ts';
import { type CalendarSourceList, DEFAULT_INTERVAL_SECONDS, readCalendarSources } from './sources-file.ts';

export interface OpenCalendarSourcesOptions {
  /** `feeds`, or the path of a file. */
  readonly setting: string;
  readonly take: TakeCalendar;
  readonly now: () => number;
  readonly log: Log;
  /** Default: none. */
  readonly proxies?: ProxySettings;
}

/** Throws `ConfigError` if the file is invalid. Sends no request before `start`. */
export function openCalendarSources({ setting, proxies = {}, ...options }: OpenCalendarSourcesOptions): Source {
  const { intervalMs, contact, sources } = sourceList(setting);
  const common = { ...options, intervalMs, parser: new CalendarParser() };
  const polled = new CalendarPoller({
    ...common,
    sources: sources.filter(({ file }) => file === null),
    request: { contact, proxies },
  });
  const watched = new FileWatcher({ ...common, sources: sources.filter(({ file }) => file !== null) });
  return {
    start() {
      polled.start();
      watched.start();
    },
    async stop() {
      await Promise.all([polled.stop(), watched.stop()]);
    },
    statuses: () => [...polled.statuses(), ...watched.statuses()],
  };
}

const sourceList = (setting: string): CalendarSourceList =>
  setting === 'feeds'
    ? { intervalMs: DEFAULT_INTERVAL_SECONDS * 1_000, contact: null, sources: BUILT_IN_CALENDARS }
    : readCalendarSources(setting);
