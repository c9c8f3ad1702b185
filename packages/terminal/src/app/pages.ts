// The pages of the signed-in terminal in the order of the navigation. The first one is at the root.
import { type AlertViews, openAlertsPage } from '../alerts/open-alerts.tsx';
import { type CalendarViews, openCalendarPage } from '../calendar/open-calendar.tsx';
import { openMarketsPage } from '../markets/markets-page.tsx';
import { type NewsViews, openNewsPage } from '../news/open-news.tsx';
import { openPublishersPage, type PublisherViews } from '../publishers/publishers-page.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { openSettingsPage, type SettingsViews } from '../settings/open-settings.tsx';
import { openSignalsPage, type SignalViews } from '../signals/signals-page.tsx';
import { lazy } from '../ui/lazy.tsx';
import type { PageView } from '../ui/page.ts';
import type { PageEntry } from './router.tsx';
import { accountNeededPage, unknownInstrumentPage } from './unopened-pages.tsx';

const later = () => import('./later-pages.ts');
const VIEWS: SignalViews & PublisherViews & SettingsViews & AlertViews & CalendarViews & NewsViews = {
  Ranking: lazy(async () => (await later()).Ranking),
  TrackRecordView: lazy(async () => (await later()).TrackRecordView),
  PublishPage: lazy(async () => (await later()).PublishPage),
  SignalView: lazy(async () => (await later()).SignalView),
  AlertsPage: lazy(async () => (await later()).AlertsPage),
  CalendarPage: lazy(async () => (await later()).CalendarPage),
  NewsPage: lazy(async () => (await later()).NewsPage),
  SettingsPage: lazy(async () => (await later()).SettingsPage),
};

export function pageEntries(services: TerminalServices): readonly PageEntry[] {
  const { client, session } = services;
  const { account } = session;
  return [
    { name: 'markets', label: 'Markets', open: (path) => openMarkets(services, path) },
    { name: 'signals', label: 'Signals', open: (path) => openSignalsPage(services, path, VIEWS) },
    { name: 'publishers', label: null, within: 'signals', open: (path) => openPublishersPage(services, path, VIEWS) },
    { name: 'news', label: 'News', open: () => openNewsPage(services, VIEWS) },
    { name: 'calendar', label: 'Calendar', open: () => openCalendarPage(services, VIEWS), single: true },
    { name: 'alerts', label: 'Alerts', open: (path) => openAlertsPage(services, path, VIEWS) },
    account === null
      ? { name: 'settings', label: null, open: () => accountNeededPage(session), single: true }
      : {
          name: 'settings',
          label: 'Settings',
          open: () => openSettingsPage({ client, account, session }, VIEWS),
          single: true,
        },
  ];
}

/** An unknown instrument gets a page of its own, so that nobody takes another market for it. */
function openMarkets(services: TerminalServices, path: readonly string[]): PageView {
  const exists = ([code = '']: readonly string[]): boolean =>
    code === '' || services.instruments.some(({ symbol }) => symbol === code.toUpperCase());
  if (!exists(path)) return unknownInstrumentPage(services, path);
  const page = openMarketsPage(services);
  return { ...page, navigate: (next) => exists(next) && (page.navigate?.(next) ?? false) };
}
