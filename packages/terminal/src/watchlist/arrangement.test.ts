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
import { readArrangement, storeArrangement } from './arrangement-store.ts';

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
  moved(arrangement, groupsOf(ROWS, arrangement), instrumentOf(symbol), by);
const place = (arrangement: Arrangement, symbol: string, side: 'before' | 'after', target: string) =>
  placed(arrangement, groupsOf(ROWS, arrangement), instrumentOf(symbol), target, side);

test('groups by type in the order of the catalogue by default', () => {
  expect(shown(UNARRANGED)).toEqual({ forex: 'EURUSD GBPUSD AUDUSD USDJPY', crypto: 'BTCUSD' });
});

test('a column sorts ascending, then descending, then not at all; another column starts ascending', () => {
  const up = nextSort(null, 'bid');
  const down = nextSort(up, 'bid');
  expect([up?.direction, down?.direction, nextSort(down, 'bid')]).toEqual(['ascending', 'descending', null]);
  expect(nextSort(down, 'change')).toEqual({ column: 'change', direction: 'ascending' });
});

test('each column sorts by its displayed value, unknown values last in both directions', () => {
  const forex = (column: 'name' | 'bid' | 'spread' | 'change', direction: 'ascending' | 'descending') =>
    shown({ ...UNARRANGED, sort: { column, direction } }).forex;
  expect(forex('name', 'ascending')).toBe('AUDUSD EURUSD GBPUSD USDJPY');
  expect(forex('bid', 'ascending')).toBe('EURUSD GBPUSD USDJPY AUDUSD');
  expect(forex('bid', 'descending')).toBe('USDJPY GBPUSD EURUSD AUDUSD');
  expect(forex('spread', 'ascending')).toBe('GBPUSD EURUSD USDJPY AUDUSD');
  expect(forex('change', 'descending')).toBe('USDJPY EURUSD GBPUSD AUDUSD');
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
  const sorted: Arrangement = { ...UNARRANGED, sort: { column: 'bid', direction: 'descending' } };
  const own = move(sorted, 'GBPUSD', -1)!;
  expect(own.sort).toBeNull();
  expect(shown(own).forex).toBe('GBPUSD USDJPY EURUSD AUDUSD');
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

test('the arrangement survives a reload, and invalid stored values are ignored', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  expect(readArrangement(storage)).toEqual(UNARRANGED);
  const arrangement: Arrangement = {
    sort: { column: 'change', direction: 'descending' },
    order: ['B', 'A'],
    favourites: ['B'],
    folded: ['metal'],
  };
  storeArrangement(storage, arrangement);
  expect(readArrangement(storage)).toEqual(arrangement);
  const [name] = kept.keys();
  for (const nonsense of ['{', '3', '{"order":7,"sort":{"column":"x"},"favourites":[1]}']) {
    kept.set(name!, nonsense);
    expect(readArrangement(storage)).toEqual(UNARRANGED);
  }
});
