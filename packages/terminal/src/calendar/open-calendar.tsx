// Opens the calendar page. Its view is not part of the first load.
import type { FunctionComponent } from 'preact';
import type { TerminalServices } from '../services/terminal-services.ts';
import type { PageView } from '../ui/page.ts';

export type CalendarServices = Pick<TerminalServices, 'client' | 'instruments' | 'navigator'>;

export interface CalendarViews {
  readonly CalendarPage: FunctionComponent<{ readonly services: CalendarServices }>;
}

export function openCalendarPage(services: CalendarServices, { CalendarPage }: CalendarViews): PageView {
  // A new address is at most another filter.
  return { title: 'Calendar · Tickwire', view: <CalendarPage services={services} />, navigate: () => true };
}
