import { expect, test } from 'bun:test';
import type { InstrumentType } from '@tickwire/client';
import type { Row } from '../services/quote-board.ts';
import {
  type Arrangement,
  groupsOf,
  moved,
  nextSort,
  placed,
  UNARRANGED,
  withFavouriteToggled,
  withGroupToggled,
} from './arrangement.ts';
import { arrangementOf, nameProblem, WatchLists } from './watch-lists.ts';

const row = (symbol: string, type: InstrumentType, bid: number | null = null, pips = 1, open = 1): Row => ({
  instrument: {
    symbol,
    name: symbol,
    type,
    pip_size: 0.01,
    contract_size: 1,
    margin_rate: 1,
    min_lot: 1,
    max_lot: 1,
  },
  bid,
  ask: bid,
  spread: bid === null ? null : pips * 0.01,
  digits: 2,
  day: { open, high: open, low: open },
});

const ROWS = [
  row('EURUSD', 'forex', 1.1, 2, 1),
  row('BTCUSD', 'crypto', 90_000),
  row('GBPUSD', 'forex', 1.3, 1, 2),
  row('AUDUSD', 'forex', null),
  row('USDJPY', 'forex', 150, 3, 100),
];

const shown = (arrangement: Arrangement) =>
  Object.fromEntries(groupsOf(ROWS, arrangement).map(({ id, symbols }) => [id, symbols.join(' ')]));
const instrumentOf = (symbol: string) => ROWS.find(({ instrument }) => instrument.symbol === symbol)!.instrument;
const move = (arrangement: Arrangement, symbol: string, by: -1 | 1) =>
  moved(arrangement, groupsOf(ROWS, arrangement), instrumentOf(symbol), by)?.arrangement ?? null;
const place = (arrangement: Arrangement, symbol: string, side: 'before' | 'after', target: string) =>
  placed(arrangement, groupsOf(ROWS, arrangement), instrumentOf(symbol), target, side)?.arrangement ?? null;

test('groups by type in the order of the catalogue by default', () => {
  expect(shown(UNARRANGED)).toEqual({ forex: 'EURUSD GBPUSD AUDUSD USDJPY', crypto: 'BTCUSD' });
});

test('a column sorts ascending, then descending, then not at all; another column starts ascending', () => {
  const up = nextSort(null, 'bid');
  const down = nextSort(up, 'bid');
  expect([up?.direction, down?.direction, nextSort(down, 'bid')]).toEqual(['ascending', 'descending', null]);
  expect(nextSort(down, 'change')).toEqual({ column: 'change', direction: 'ascending' });
});

test('each column sorts all instruments by its displayed value, unknown values last in both directions', () => {
  const sorted = (column: 'name' | 'bid' | 'spread' | 'change' | 'high', direction: 'ascending' | 'descending') =>
    shown({ ...UNARRANGED, favourites: ['GBPUSD'], sort: { column, direction } });
  expect(sorted('name', 'ascending')).toEqual({ list: 'AUDUSD BTCUSD EURUSD GBPUSD USDJPY' });
  expect(sorted('bid', 'ascending')).toEqual({ list: 'EURUSD GBPUSD USDJPY BTCUSD AUDUSD' });
  expect(sorted('bid', 'descending')).toEqual({ list: 'BTCUSD USDJPY GBPUSD EURUSD AUDUSD' });
  expect(sorted('spread', 'ascending').list).toStartWith('BTCUSD GBPUSD EURUSD USDJPY');
  expect(sorted('change', 'descending').list).toBe('BTCUSD USDJPY EURUSD GBPUSD AUDUSD');
  expect(sorted('high', 'descending').list).toStartWith('USDJPY GBPUSD');
});

test('without groups, the list is flat, in the own order', () => {
  expect(shown({ ...UNARRANGED, grouped: false, order: ['USDJPY'] })).toEqual({
    list: 'USDJPY EURUSD BTCUSD GBPUSD AUDUSD',
  });
});

test('top movers have the largest change of the day first, up or down', () => {
  expect(shown({ ...UNARRANGED, view: 'movers' })).toEqual({ list: 'BTCUSD USDJPY GBPUSD EURUSD' });
});

test('a list has its own instruments and order, and rows move within it', () => {
  const list = { id: 'list-1', name: 'Mine', symbols: ['USDJPY', 'BTCUSD', 'EURUSD', 'GONE'] };
  const view: Arrangement = { ...UNARRANGED, view: 'list-1', grouped: false };
  const groups = groupsOf(ROWS, view, list);
  expect(groups.map(({ symbols }) => symbols.join(' '))).toEqual(['USDJPY BTCUSD EURUSD']);
  expect(moved(view, groups, instrumentOf('EURUSD'), -1, list)?.symbols).toEqual([
    'USDJPY',
    'EURUSD',
    'BTCUSD',
    'GONE',
  ]);
  const grouped = { ...view, grouped: true };
  const types = groupsOf(ROWS, grouped, list);
  expect(types.map(({ id, symbols }) => [id, ...symbols])).toEqual([
    ['forex', 'USDJPY', 'EURUSD'],
    ['crypto', 'BTCUSD'],
  ]);
  expect(placed(grouped, types, instrumentOf('EURUSD'), 'BTCUSD', 'before', list)).toBeNull();
});

test('favourites are the first group, and return to their place when removed', () => {
  const pinned = withFavouriteToggled(withFavouriteToggled(UNARRANGED, 'USDJPY'), 'BTCUSD');
  expect(shown(pinned)).toEqual({ favourites: 'USDJPY BTCUSD', forex: 'EURUSD GBPUSD AUDUSD' });
  expect(shown(withFavouriteToggled(withFavouriteToggled(pinned, 'USDJPY'), 'BTCUSD'))).toEqual(shown(UNARRANGED));
});

test('a row moves by one within its group, but not out of it', () => {
  const down = move(UNARRANGED, 'EURUSD', 1)!;
  expect(shown(down).forex).toBe('GBPUSD EURUSD AUDUSD USDJPY');
  expect(shown(move(down, 'USDJPY', -1)!).forex).toBe('GBPUSD EURUSD USDJPY AUDUSD');
  expect(move(UNARRANGED, 'EURUSD', -1)).toBeNull();
  expect(move(UNARRANGED, 'BTCUSD', 1)).toBeNull();
});

test('moving a row of a sorted list keeps the displayed order of the others', () => {
  const sorted: Arrangement = { ...UNARRANGED, grouped: false, sort: { column: 'bid', direction: 'descending' } };
  const own = move(sorted, 'GBPUSD', -1)!;
  expect(own.sort).toBeNull();
  expect(shown(own).list).toBe('BTCUSD GBPUSD USDJPY EURUSD AUDUSD');
});

test('a row dropped among the favourites becomes one, and stops being one when dropped back', () => {
  const pinned = withFavouriteToggled(UNARRANGED, 'BTCUSD');
  const two = place(pinned, 'AUDUSD', 'before', 'BTCUSD')!;
  expect(shown(two)).toEqual({ favourites: 'AUDUSD BTCUSD', forex: 'EURUSD GBPUSD USDJPY' });
  const back = place(two, 'AUDUSD', 'after', 'EURUSD')!;
  expect(shown(back)).toEqual({ favourites: 'BTCUSD', forex: 'EURUSD AUDUSD GBPUSD USDJPY' });
});

test('a row cannot be placed in the group of another type, nor next to itself', () => {
  expect(place(UNARRANGED, 'EURUSD', 'before', 'BTCUSD')).toBeNull();
  expect(place(UNARRANGED, 'EURUSD', 'after', 'EURUSD')).toBeNull();
});

test('new instruments of the catalogue follow the arranged ones', () => {
  const own: Arrangement = { ...UNARRANGED, order: ['USDJPY', 'GBPUSD'] };
  expect(shown(own).forex).toBe('USDJPY GBPUSD EURUSD AUDUSD');
});

test('a group collapses and expands', () => {
  const folded = withGroupToggled(UNARRANGED, 'forex');
  expect(folded.folded).toEqual(['forex']);
  expect(withGroupToggled(folded, 'forex').folded).toEqual([]);
});

const documents = () => {
  const kept = new Map<string, object>();
  return {
    kept,
    read: async (kind: string, name: string) => (kept.get(`${kind} ${name}`) as never) ?? null,
    write: async (kind: string, name: string, value: object) =>
      void kept.set(`${kind} ${name}`, structuredClone(value)),
    remove: async (kind: string, name: string) => void kept.delete(`${kind} ${name}`),
    names: async (kind: string) =>
      [...kept.keys()].filter((key) => key.startsWith(`${kind} `)).map((key) => key.slice(kind.length + 1)),
  };
};
const fail = (error: unknown): never => {
  throw error;
};

test('lists and arrangement survive a reload', async () => {
  const stored = documents();
  const lists = new WatchLists(stored, fail);
  expect(await lists.load()).toBeNull();
  const arrangement: Arrangement = { ...UNARRANGED, view: 'list-1', grouped: false, columns: ['bid', 'high'] };
  lists.store(arrangement);
  const list = lists.create(' Majors ', ['EURUSD']);
  lists.put({ ...list, symbols: ['EURUSD', 'GBPUSD'] });
  lists.remove(lists.create('Gone', []).id);
  const again = new WatchLists(stored, fail);
  expect(await again.load()).toEqual(arrangement);
  expect(again.all).toEqual([{ id: 'list-1', name: 'Majors', symbols: ['EURUSD', 'GBPUSD'] }]);
});

test('invalid stored values are ignored', () => {
  expect(arrangementOf({ order: 7, sort: { column: 'x' }, favourites: [1], columns: 'bid', view: 3 })).toEqual(
    UNARRANGED,
  );
});

test('names of lists are unique and not empty', () => {
  const lists = [{ id: 'list-1', name: 'Majors', symbols: [] }];
  expect([nameProblem('Minors', lists), nameProblem(' ', lists), nameProblem('majors', lists)]).toEqual([
    '',
    'Enter a name.',
    'A list with this name already exists.',
  ]);
});
