// Publishers: the ranking of all, or with a name in the address the track record of one.
import type { PageKind } from '../page.ts';
import { Ranking } from './ranking.ts';
import { RecordView } from './record-view.ts';

export const PUBLISHERS_PAGE: PageKind = {
  name: 'publishers',
  label: null,
  within: 'signals',
  forAccounts: false,
  make: (workspace, [name]) => {
    const page = name === undefined ? new Ranking(workspace) : new RecordView(workspace, name);
    const title = name === undefined ? 'Publishers' : name;
    return { element: page.element, title: `${title} · Tickwire`, close: () => page.close() };
  },
};
