// Signals: the feed; one signal if the address has its id; with `new` the form to publish one.
import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { PageView } from '../ui/page.ts';
import type { PublishServices } from './publish-page.tsx';
import { type FeedServices, SignalFeedPage } from './signal-feed.tsx';
import type { SignalViewProps } from './signal-view.tsx';

export interface SignalViews {
  readonly PublishPage: FunctionComponent<PublishServices>;
  readonly SignalView: FunctionComponent<SignalViewProps>;
}

export function openSignalsPage(
  services: FeedServices,
  path: readonly string[],
  { PublishPage, SignalView }: SignalViews,
): PageView {
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
