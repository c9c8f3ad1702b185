// For the owner: how the sources of news are doing, and what curation left out.
import type { NewsSourceList } from '@tickwire/client';
import { box, make } from '../elements.ts';
import { figure } from '../format.ts';
import { ageElement, momentElement } from '../moments.ts';
import { Part } from '../settings/part.ts';
import { panel, type Section, type SettingsContext } from '../settings/section.ts';
import { type Column, table } from '../table.ts';
import { trouble } from './trouble.ts';

type Source = NewsSourceList['items'][number];

const AGAIN_MS = 10_000;

export const NEWS_SOURCES: Section = {
  id: 'news-sources',
  title: 'News sources',
  intro: 'Where news comes from, and what was left out of it since the start of the service.',
  show: (context) => [panel('Sources of news', newsSources(context))],
};

function newsSources(context: SettingsContext): HTMLElement {
  const load = async (): Promise<readonly Node[]> => {
    const { items, left_out } = await context.client.newsSources();
    const reasons = Object.entries(left_out).map(([reason, count]) => ({ reason, count }));
    const some = reasons.filter(({ count }) => count > 0);
    return [
      table('News sources', COLUMNS, items, 'No source of news is set up.'),
      make('h2', 'table-title', 'Left out'),
      table('Left out', REASON_COLUMNS, some, 'Nothing was left out.'),
    ];
  };
  return Part.live(load, context, AGAIN_MS).element;
}

const CHIP: Readonly<Record<Source['state'], string>> = {
  ok: 'chip good',
  starting: 'chip',
  failing: 'chip bad',
  stopped: 'chip',
};

function nameOf({ name, url, last_error }: Source): HTMLElement {
  const made = box('span', 'stacked', make('span', 'key-name', name));
  if (url !== null) made.append(make('span', 'source-address', url));
  // The last failure of a source that is well again is history.
  if (last_error !== null) made.append(trouble(last_error));
  return made;
}

const COLUMNS: readonly Column<Source>[] = [
  { head: 'Source', cell: nameOf },
  { head: 'State', cell: ({ state }) => make('span', CHIP[state], state) },
  { head: 'Last news', cell: ({ last_item_at }) => momentElement(last_item_at, 'none yet') },
  { head: 'Last asked', cell: ({ last_poll_at }) => ageElement(last_poll_at, 'not yet') },
  { head: 'Items', cell: ({ items }) => figure(items), numeric: true },
  { head: 'Nothing new', cell: ({ unchanged }) => figure(unchanged), numeric: true },
  {
    head: 'Failures',
    cell: ({ failures }) => make('span', failures > 0 ? 'alarming' : '', figure(failures)),
    numeric: true,
  },
];

/** Those of the service; one that is not known here is shown as it is called. */
const REASONS: Readonly<Record<string, string>> = {
  empty: 'had no title',
  off_topic: 'were about no market',
  too_old: 'were too old',
  duplicate: 'told what was told before',
  revised_too_often: 'were changed too often',
};

const REASON_COLUMNS: readonly Column<{ readonly reason: string; readonly count: number }>[] = [
  { head: 'Reason', cell: ({ reason }) => REASONS[reason] ?? reason.replaceAll('_', ' ') },
  { head: 'Items', cell: ({ count }) => figure(count), numeric: true },
];
