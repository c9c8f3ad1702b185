// The order of the watchlist: groups by type, favourites first, each group sorted by a column or in the user's own order.
import type { Instrument, InstrumentType } from '@tickwire/client';
import { dayChange, type Row } from '../services/quote-board.ts';

export type SortColumn = 'name' | 'bid' | 'spread' | 'change';
export interface Sort {
  readonly column: SortColumn;
  readonly direction: 'ascending' | 'descending';
}

export interface Arrangement {
  /** `null` for the user's own order. */
  readonly sort: Sort | null;
  /** Symbols. Others follow in the order of the catalogue. */
  readonly order: readonly string[];
  readonly favourites: readonly string[];
  /** Collapsed groups. */
  readonly folded: readonly string[];
}

export type GroupId = 'favourites' | InstrumentType;
export interface Group {
  readonly id: GroupId;
  readonly title: string;
  readonly symbols: readonly string[];
}

const TITLES: Readonly<Record<GroupId, string>> = {
  favourites: 'Favourites',
  forex: 'Forex',
  metal: 'Metals',
  crypto: 'Crypto',
  index: 'Indices',
  energy: 'Energy',
  equity: 'Equities',
};
const IDS = Object.keys(TITLES) as readonly GroupId[];

export const UNARRANGED: Arrangement = { sort: null, order: [], favourites: [], folded: [] };

/** Ascending, then descending, then the user's own order. */
export function nextSort(sort: Sort | null, column: SortColumn): Sort | null {
  if (sort?.column !== column) return { column, direction: 'ascending' };
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : null;
}

const figureOf: Readonly<Record<Exclude<SortColumn, 'name'>, (row: Row) => number | null>> = {
  bid: ({ bid }) => bid,
  // In pips, as displayed.
  spread: ({ spread, instrument }) => (spread === null ? null : spread / instrument.pip_size),
  change: dayChange,
};

function compareBy({ column, direction }: Sort): (one: Row, other: Row) => number {
  const sign = direction === 'ascending' ? 1 : -1;
  if (column === 'name')
    return (one, other) => sign * one.instrument.symbol.localeCompare(other.instrument.symbol, 'en');
  const figure = figureOf[column];
  return (one, other) => {
    const [left, right] = [figure(one), figure(other)];
    // Unknown values come last in both directions.
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  };
}

/** Position in a list; other symbols come last. */
const placeIn = (list: readonly string[]): ((symbol: string) => number) => {
  const places = new Map(list.map((symbol, at) => [symbol, at]));
  return (symbol) => places.get(symbol) ?? list.length;
};

/** Empty groups are left out. */
export function groupsOf(rows: readonly Row[], { sort, order, favourites }: Arrangement): readonly Group[] {
  const members = new Map<GroupId, Row[]>(IDS.map((id) => [id, []]));
  const pinned = new Set(favourites);
  for (const row of rows) {
    const { symbol, type } = row.instrument;
    members.get(pinned.has(symbol) ? 'favourites' : type)?.push(row);
  }
  return IDS.flatMap((id) => {
    const of = members.get(id) ?? [];
    if (of.length === 0) return [];
    const place = placeIn(id === 'favourites' ? favourites : order);
    of.sort(sort ? compareBy(sort) : (one, other) => place(one.instrument.symbol) - place(other.instrument.symbol));
    return [{ id, title: TITLES[id], symbols: of.map(({ instrument }) => instrument.symbol) }];
  });
}

/** Makes the displayed order the user's own, so that moving one row of a sorted list moves no other. */
function withDisplayedOrder(arrangement: Arrangement, groups: readonly Group[]): Arrangement {
  if (arrangement.sort === null && arrangement.order.length > 0) return arrangement;
  const shown = (id: GroupId) => groups.find((group) => group.id === id)?.symbols ?? [];
  const order = groups.flatMap(({ id, symbols }) => (id === 'favourites' ? [] : symbols));
  return { ...arrangement, sort: null, order, favourites: shown('favourites') };
}

/**
 * Places an instrument before or after another one. Among the favourites it becomes one, in the group of its type it stops
 * being one. `null` if it cannot be placed there.
 */
export function placed(
  arrangement: Arrangement,
  groups: readonly Group[],
  instrument: Pick<Instrument, 'symbol' | 'type'>,
  target: string,
  side: 'before' | 'after',
): Arrangement | null {
  const { symbol, type } = instrument;
  const group = groups.find(({ symbols }) => symbols.includes(target));
  if (!group || target === symbol || (group.id !== 'favourites' && group.id !== type)) return null;
  const base = withDisplayedOrder(arrangement, groups);
  const others = group.symbols.filter((each) => each !== symbol);
  const at = others.indexOf(target) + Number(side === 'after');
  const inserted = others.toSpliced(at, 0, symbol);
  if (group.id === 'favourites') return { ...base, favourites: inserted };
  const favourites = base.favourites.filter((each) => each !== symbol);
  const moved = new Set(inserted);
  return { ...base, favourites, order: [...base.order.filter((each) => !moved.has(each)), ...inserted] };
}

/** Moves an instrument up (−1) or down (1) within its group; `null` at the end of the group. */
export function moved(
  arrangement: Arrangement,
  groups: readonly Group[],
  instrument: Pick<Instrument, 'symbol' | 'type'>,
  by: -1 | 1,
): Arrangement | null {
  const symbols = groups.find((group) => group.symbols.includes(instrument.symbol))?.symbols ?? [];
  const target = symbols[symbols.indexOf(instrument.symbol) + by];
  return target === undefined ? null : placed(arrangement, groups, instrument, target, by < 0 ? 'before' : 'after');
}

const toggled = (list: readonly string[], name: string): readonly string[] =>
  list.includes(name) ? list.filter((each) => each !== name) : [...list, name];

export function withFavouriteToggled(arrangement: Arrangement, symbol: string): Arrangement {
  return { ...arrangement, favourites: toggled(arrangement.favourites, symbol) };
}

export function withGroupToggled(arrangement: Arrangement, id: string): Arrangement {
  return { ...arrangement, folded: toggled(arrangement.folded, id) };
}
