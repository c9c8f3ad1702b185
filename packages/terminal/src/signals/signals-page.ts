// Signals: the feed; with an id in the address one of them; with `new` the form to publish one.
import type { Page, PageKind } from '../page.ts';
import type { Workspace } from '../workspace.ts';
import { Feed } from './feed.ts';
import { PublishPage } from './publish-page.ts';
import { SignalView } from './signal-view.ts';

export const SIGNALS_PAGE: PageKind = {
  name: 'signals',
  label: 'Signals',
  forAccounts: false,
  make: (workspace, path) => pageOf(workspace, path),
};

function pageOf(workspace: Workspace, [id]: readonly string[]): Page {
  if (id === undefined) {
    const feed = new Feed(workspace);
    return {
      element: feed.element,
      title: 'Signals · Tickwire',
      follow: ([next]) => {
        if (next !== undefined) return false;
        feed.readAddress();
        return true;
      },
      close: () => feed.close(),
    };
  }
  if (id === 'new') {
    const form = new PublishPage(workspace);
    return {
      element: form.element,
      title: 'Publish a signal · Tickwire',
      shown: () => form.shown(),
      close: () => form.close(),
    };
  }
  const view = new SignalView(workspace, id);
  return {
    element: view.element,
    title: 'Signal · Tickwire',
    follow: ([next, ...rest]) => {
      if (next !== id || rest.length > 0) return false;
      view.readAddress();
      return true;
    },
    close: () => view.close(),
  };
}
