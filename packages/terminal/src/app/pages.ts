// The pages of the signed-in terminal in the order of the navigation. The first one is at the root.
import { openMarketsPage } from '../markets/markets-page.tsx';
import { openNewsPage } from '../news/news-page.tsx';
import { openPublishersPage, type PublisherViews } from '../publishers/publishers-page.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { openSettingsPage } from '../settings/settings-page.tsx';
import { openSignalsPage, type SignalViews } from '../signals/signals-page.tsx';
import { lazy } from '../ui/lazy.tsx';
import type { PageEntry } from './router.tsx';

const later = () => import('./later-pages.ts');
const VIEWS: SignalViews & PublisherViews = {
  Ranking: lazy(async () => (await later()).Ranking),
  TrackRecordView: lazy(async () => (await later()).TrackRecordView),
  PublishPage: lazy(async () => (await later()).PublishPage),
  SignalView: lazy(async () => (await later()).SignalView),
};

export function pageEntries(services: TerminalServices): readonly PageEntry[] {
  const { client, session } = services;
  const { account } = session;
  return [
    { name: 'markets', label: 'Markets', open: () => openMarketsPage(services) },
    { name: 'signals', label: 'Signals', open: (path) => openSignalsPage(services, path, VIEWS) },
    { name: 'publishers', label: null, within: 'signals', open: (path) => openPublishersPage(services, path, VIEWS) },
    { name: 'news', label: 'News', open: () => openNewsPage(services) },
    // An API key has no settings.
    ...(account === null
      ? []
      : [{ name: 'settings', label: 'Settings', open: () => openSettingsPage({ client, account, session }) }]),
  ];
}
