// Signals: the feed; one signal if the address has its id; with `new` the form to publish one.
import { signal } from '@preact/signals';
import type { TerminalServices } from '../services/terminal-services.ts';
import { componentPage } from '../ui/component-page.tsx';
import type { Page } from '../ui/page.ts';
import { PublishPage } from './publish-page.tsx';
import { SignalFeed } from './signal-feed.tsx';
import { SignalView } from './signal-view.tsx';

type Services = Pick<
  TerminalServices,
  'client' | 'session' | 'instruments' | 'quotes' | 'activeSignals' | 'status' | 'notifier' | 'navigator'
>;

export function openSignalsPage(services: Services, path: readonly string[]): Page {
  const [id] = path;
  // Counts navigations to the signal that is open: a link to its evidence can be followed twice.
  const visits = signal(0);
  return componentPage({
    title: `${id === undefined ? 'Signals' : id === 'new' ? 'Publish a signal' : 'Signal'} · Tickwire`,
    view: () => {
      if (id === undefined) return <SignalFeed {...services} />;
      return id === 'new' ? <PublishPage {...services} /> : <SignalView {...services} id={id} visits={visits} />;
    },
    onSessionExpired: services.session.end,
    navigate: (next) => {
      if (id === 'new' || next.join('/') !== path.join('/')) return false;
      visits.value++;
      return true;
    },
  });
}
