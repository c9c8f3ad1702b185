// The pages of the signed-in terminal in the order of the navigation. The first one is at the root.
import { signal } from '@preact/signals';
import { openMarketsPage } from '../markets/markets-page.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { sectionAt, sectionTitle } from '../settings/section-list.ts';
import { lazy } from '../ui/lazy.tsx';
import type { PageView } from '../ui/page.ts';
import type { PageEntry } from './router.tsx';

export const loadPages = () => import('./lazy-pages.ts');
export type LazyPages = Awaited<ReturnType<typeof loadPages>>;
const Ranking = lazy(async () => (await loadPages()).Ranking);
const TrackRecordView = lazy(async () => (await loadPages()).TrackRecordView);
const PublishPage = lazy(async () => (await loadPages()).PublishPage);
const SignalFeedPage = lazy(async () => (await loadPages()).SignalFeedPage);
const SignalView = lazy(async () => (await loadPages()).SignalView);
const AlertsPage = lazy(async () => (await loadPages()).AlertsPage);
const CalendarPage = lazy(async () => (await loadPages()).CalendarPage);
const NewsPage = lazy(async () => (await loadPages()).NewsPage);
const SettingsPage = lazy(async () => (await loadPages()).SettingsPage);
const NotFoundPage = lazy(async () => (await loadPages()).NotFoundPage);
const UnknownInstrumentPage = lazy(async () => (await loadPages()).UnknownInstrumentPage);
const AccountNeededPage = lazy(async () => (await loadPages()).AccountNeededPage);

export const NOT_FOUND: PageEntry = {
  name: '',
  label: null,
  open: () => ({ title: 'Page not found · Tickwire', view: <NotFoundPage /> }),
};

/** A page whose addresses differ in a filter or a section: a new address is the same page. */
const samePage = (title: string, view: PageView['view']): PageView => ({
  title: `${title} · Tickwire`,
  view,
  navigate: () => true,
});

export function pageEntries(services: TerminalServices): readonly PageEntry[] {
  const { client, session, notifier } = services;
  const { account } = session;
  return [
    { name: 'markets', label: 'Markets', open: (path) => openMarkets(services, path) },
    { name: 'signals', label: 'Signals', open: (path) => openSignals(services, path) },
    { name: 'publishers', label: null, within: 'signals', open: (path) => openPublishers(services, path) },
    // Below a headline the list stays where the user was.
    { name: 'news', label: 'News', open: () => samePage('News', <NewsPage services={services} />) },
    {
      name: 'calendar',
      label: 'Calendar',
      open: () => samePage('Calendar', <CalendarPage services={services} />),
      single: true,
    },
    { name: 'alerts', label: 'Alerts', open: (path) => openAlerts(services, path) },
    account === null
      ? {
          name: 'settings',
          label: null,
          open: () => ({ title: 'Account needed · Tickwire', view: <AccountNeededPage signOut={session.signOut} /> }),
          single: true,
        }
      : {
          name: 'settings',
          label: 'Settings',
          open: () => ({
            title: sectionTitle(sectionAt(account, location.hash)),
            view: <SettingsPage {...{ client, account, session, notifier }} />,
            navigate: () => true,
          }),
          single: true,
        },
  ];
}

/** An unknown instrument gets a separate page, so that it is not mistaken for another market. */
function openMarkets(services: TerminalServices, path: readonly string[]): PageView {
  const exists = ([code = '']: readonly string[]): boolean =>
    code === '' || services.instruments.some(({ symbol }) => symbol === code.toUpperCase());
  if (!exists(path))
    return { title: 'Unknown instrument · Tickwire', view: <UnknownInstrumentPage {...services} path={path} /> };
  const shown = services.replay.services ?? services;
  const page = openMarketsPage(shown, (button, panels) => {
    loadPages().then(
      ({ openLayoutMenu }) => openLayoutMenu(button, { services: shown, panels }),
      (error: unknown) => services.notifier.reportError(error, 'Layout'),
    );
  });
  return { ...page, navigate: (next) => exists(next) && (page.navigate?.(next) ?? false) };
}

/** The feed; one signal if the address has its id; with `new` the form to publish one. */
function openSignals(services: TerminalServices, path: readonly string[]): PageView {
  const [id] = path;
  if (id === 'new') return { title: 'Publish a signal · Tickwire', view: <PublishPage {...services} /> };
  // Counts navigations to the signal that is open: a link to its evidence can be followed twice.
  const visits = signal(0);
  const navigate = (next: readonly string[]): boolean => {
    const here = next.join('/') === path.join('/');
    if (here) visits.value++;
    return here;
  };
  if (id === undefined) return { title: 'Signals · Tickwire', view: <SignalFeedPage {...services} />, navigate };
  return { title: 'Signal · Tickwire', view: <SignalView {...services} id={id} visits={visits} />, navigate };
}

/** The ranking, or the track record of one if the address has a name. */
function openPublishers(services: TerminalServices, [name]: readonly string[]): PageView {
  if (name !== undefined) return { title: `${name} · Tickwire`, view: <TrackRecordView {...services} name={name} /> };
  return { ...samePage('Publishers', <Ranking {...services} />), navigate: ([next]) => next === undefined };
}

const ALERT_TITLES: Readonly<Record<string, string>> = {
  '': 'Alerts',
  new: 'New alert',
  log: 'Log of alerts',
  deliveries: 'Deliveries',
  destinations: 'Destinations',
};

function openAlerts(services: TerminalServices, [view = '']: readonly string[]): PageView {
  return {
    title: `${ALERT_TITLES[view] ?? 'Alert'} · Tickwire`,
    view: <AlertsPage services={services} view={view} />,
    // A new alert may be asked for again with other values in the address.
    navigate: ([next = '']) => next === view && view !== 'new',
  };
}
