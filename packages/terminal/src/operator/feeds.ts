// For the owner: how the sources of prices are doing, and which prices were kept out.
import type { TickwireClient } from '@tickwire/client';
import { box, make } from '../elements.ts';
import { decimalsOf, figure, percent, price } from '../format.ts';
import { ageElement, momentElement } from '../moments.ts';
import { Part } from '../settings/part.ts';
import { panel, type Section, type SettingsContext } from '../settings/section.ts';
import { type Column, table } from '../table.ts';
import { trouble } from './trouble.ts';

type FeedList = Awaited<ReturnType<TickwireClient['feeds']>>;
type Feed = FeedList['items'][number];
type Spike = FeedList['quarantine'][number];

const AGAIN_MS = 3_000;

export const FEEDS: Section = {
  id: 'feeds',
  title: 'Feeds',
  intro: 'Where prices come from, and what was lost, fetched afterwards or kept out since the start of the service.',
  show: (context) => [panel('Sources of prices', feeds(context))],
};

function feeds(context: SettingsContext): HTMLElement {
  const load = async (): Promise<readonly Node[]> => {
    const { items, quarantine } = await context.client.feeds();
    return [
      table('Feeds', COLUMNS, items, 'No feed is set up, so that no prices come in.'),
      make('h2', 'table-title', 'Quarantine'),
      table('Prices in quarantine', SPIKE_COLUMNS, quarantine, 'No price was kept out as an absurd jump.'),
    ];
  };
  return Part.live(load, context, AGAIN_MS).element;
}

const CHIP: Readonly<Record<Feed['state'], string>> = {
  live: 'chip good',
  starting: 'chip',
  connecting: 'chip notice-chip',
  waiting: 'chip notice-chip',
  stopped: 'chip bad',
};

function symbolsOf({ symbols }: Feed): HTMLElement {
  const made = make('span', '', figure(symbols.length));
  made.title = symbols.join(' ');
  return made;
}

function nameOf({ name, last_error }: Feed): HTMLElement {
  return box('span', 'stacked', make('span', 'key-name', name), ...(last_error === null ? [] : [trouble(last_error)]));
}

const COLUMNS: readonly Column<Feed>[] = [
  { head: 'Feed', cell: nameOf },
  { head: 'State', cell: ({ state }) => make('span', CHIP[state], state) },
  { head: 'Last tick', cell: ({ last_event_at }) => ageElement(last_event_at, 'none yet') },
  { head: 'Symbols', cell: symbolsOf, numeric: true },
  { head: 'Reconnects', cell: ({ connects }) => figure(Math.max(0, connects - 1)), numeric: true },
  { head: 'Fetched later', cell: ({ backfilled }) => figure(backfilled), numeric: true },
  { head: 'Gaps', cell: ({ gaps }) => alarming(gaps), numeric: true },
  { head: 'Twice', cell: ({ duplicates }) => figure(duplicates), numeric: true },
  { head: 'Not understood', cell: ({ complaints }) => alarming(complaints), numeric: true },
];

/** A number that should be 0. */
const alarming = (count: number): HTMLElement => make('span', count > 0 ? 'alarming' : '', figure(count));

const exactPrice = (value: number): string => price(value, decimalsOf(value));

const SPIKE_COLUMNS: readonly Column<Spike>[] = [
  { head: 'Symbol', cell: ({ symbol }) => make('span', 'key-name', symbol) },
  { head: 'When', cell: ({ time }) => momentElement(time) },
  { head: 'Price', cell: (spike) => exactPrice(spike.price), numeric: true },
  { head: 'Last good price', cell: ({ last }) => exactPrice(last), numeric: true },
  { head: 'Jump', cell: (spike) => percent(spike.price / spike.last - 1), numeric: true },
];
