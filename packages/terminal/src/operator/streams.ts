// For the owner: who is connected to the streams now, and who is behind.
import type { StreamReport } from '@tickwire/client';
import { make } from '../elements.ts';
import { figure } from '../format.ts';
import { momentElement } from '../moments.ts';
import { Part } from '../settings/part.ts';
import { panel, type Section, type SettingsContext } from '../settings/section.ts';
import { type Column, table } from '../table.ts';

const SHOWN = 500;
const AGAIN_MS = 5_000;

export const STREAMS: Section = {
  id: 'streams',
  title: 'Connected streams',
  intro: 'Open WebSocket connections, the oldest first.',
  show: (context) => [streams(context)],
};

function streams(context: SettingsContext): HTMLElement {
  const load = async (): Promise<readonly Node[]> => {
    const { items, open } = await context.client.admin.streams({ limit: SHOWN });
    const list = table('Open streams', COLUMNS, items, 'Nobody is connected.');
    if (items.length === 0) return [list];
    const rest = open > items.length ? ` The first ${items.length} are shown.` : '';
    return [make('p', 'intro', `${figure(open)} open.${rest}`), list];
  };
  return panel('Streams', Part.live(load, context, AGAIN_MS).element);
}

const COLUMNS: readonly Column<StreamReport>[] = [
  { head: 'Channel', cell: ({ channel }) => channel },
  { head: 'Account', cell: ({ account }) => account ?? make('span', 'muted', 'no key yet') },
  { head: 'Key', cell: ({ key }) => make('code', '', key ?? '–') },
  { head: 'Address', cell: ({ address }) => make('code', '', address) },
  { head: 'Since', cell: ({ since }) => momentElement(since) },
  { head: 'Subscriptions', cell: ({ subscriptions }) => figure(subscriptions), numeric: true },
  { head: 'Waiting bytes', cell: ({ buffered_bytes }) => figure(buffered_bytes), numeric: true },
  {
    head: 'State',
    cell: ({ slow }) => (slow ? make('span', 'chip bad', 'behind') : make('span', 'chip good', 'in time')),
  },
];
