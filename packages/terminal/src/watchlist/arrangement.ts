// Which instruments the watchlist shows and in which order: a list, in groups by type or flat, in the user's own order or sorted by a
// column. Sorting goes over all instruments of the list.
import type { Instrument, InstrumentType } from '@tickwire/client';
import { dayChange, type Row } from '../services/quote-board.ts';

export type SortColumn = 'name' | 'bid' | 'ask' | 'spread' | 'change' | 'high' | 'low';
export interface Sort {
  readonly column: SortColumn;
  readonly direction: 'ascending' | 'descending';
}

/** Columns besides the name, in their order. */
export const COLUMNS = ['trend', 'bid', 'ask', 'spread', 'change', 'high', 'low'] as const;
export type Column = (typeof COLUMNS)[number];
export const USUAL_COLUMNS: readonly Column[] = ['trend', 'bid', 'ask', 'spread', 'change'];

/** A list that the user made. */
export interface WatchList {
  readonly id: string;
  readonly name: string;
  /** In the user's own order. */
  readonly symbols: readonly string[];
}

/** Lists that are always there. Other views are ids of the user's lists. */
export const READY_MADE = { all: 'All instruments', favourites: 'Favourites', movers: 'Top movers' } as const;
const MOST_MOVERS = 20;

export interface Arrangement {
  /** The list that is shown. */
  readonly view: string;
  /** By type. A sorted list has no groups. */
  readonly grouped: boolean;
  readonly columns: readonly Column[];
  /** `null` for the user's own order. */
  readonly sort: Sort | null;
  /** Symbols. Others follow in the order of the catalogue. */
  readonly order: readonly string[];
  readonly favourites: readonly string[];
  /** Collapsed groups. */
  readonly folded: readonly string[];
}

/** `list`: all of a list without groups. */
export type GroupId = 'list' | 'favourites' | InstrumentType;
export interface Group {
  readonly id: GroupId;
  readonly title: string;
  readonly symbols: readonly string[];
}

const TITLES: Readonly<Record<GroupId, string>> = {
  list: 'Instruments',
  favourites: 'Favourites',
  forex: 'Forex',
  metal: 'Metals',
  crypto: 'Crypto',
  index: 'Indices',
  energy: 'Energy',
  equity: 'Equities',
};
const IDS = Object.keys(TITLES) as readonly GroupId[];

export const UNARRANGED: Arrangement = {
  view: 'all',
  grouped: true,
  columns: USUAL_COLUMNS,
  sort: null,
  order: [],
  favourites: [],
  folded: [],
};

/** Ascending, then descending, then the user's own order. */
export function nextSort(sort: Sort | null, column: SortColumn): Sort | null {
  if (sort?.column !== column) return { column, direction: 'ascending' };
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : null;
}

const figureOf: Readonly<Record<Exclude<SortColumn, 'name'>, (row: Row) => number | null>> = {
  bid: ({ bid }) => bid,
  ask: ({ ask }) => ask,
  high: ({ day }) => day?.high ?? null,
  low: ({ day }) => day?.low ?? null,
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

/** Own order of the view: symbols in their places; the others follow. */
const ownOrder = ({ view, order, favourites }: Arrangement, list: WatchList | null): readonly string[] =>
  list?.symbols ?? (view === 'favourites' ? favourites : order);

const membersOf = (rows: readonly Row[], { view, favourites }: Arrangement, list: WatchList | null): readonly Row[] => {
  const symbols = list?.symbols ?? (view === 'favourites' ? favourites : null);
  if (symbols === null) return rows;
  const members = new Set(symbols);
  return rows.filter(({ instrument }) => members.has(instrument.symbol));
};

const size = (row: Row): number => Math.abs(dayChange(row) ?? -1);

/** Largest change of the day first, up or down. Instruments without one are left out. */
const moversOf = (rows: readonly Row[]): readonly Row[] =>
  rows
    .filter((row) => dayChange(row) !== null)
    .sort((one, other) => size(other) - size(one))
    .slice(0, MOST_MOVERS);

/** The shown instruments. Empty groups are left out. `list`: the user's list that is shown, if it is one. */
export function groupsOf(
  rows: readonly Row[],
  arrangement: Arrangement,
  list: WatchList | null = null,
): readonly Group[] {
  const { view, sort, grouped, favourites } = arrangement;
  const members = view === 'movers' ? moversOf(rows) : membersOf(rows, arrangement, list);
  const place = placeIn(ownOrder(arrangement, list));
  const compare = sort
    ? compareBy(sort)
    : (one: Row, other: Row) => place(one.instrument.symbol) - place(other.instrument.symbol);
  if (sort || !grouped || view === 'movers') {
    const symbols = (view === 'movers' && !sort ? members : members.toSorted(compare)).map(symbolOf);
    return symbols.length === 0 ? [] : [{ id: 'list', title: TITLES.list, symbols }];
  }
  const byGroup = new Map<GroupId, Row[]>(IDS.map((id) => [id, []]));
  const pinned = new Set(view === 'all' ? favourites : []);
  for (const row of members) {
    const { symbol, type } = row.instrument;
    byGroup.get(pinned.has(symbol) ? 'favourites' : type)?.push(row);
  }
  const amongFavourites = placeIn(favourites);
  return IDS.flatMap((id) => {
    const of = byGroup.get(id) ?? [];
    if (of.length === 0) return [];
    of.sort(
      id === 'favourites' ? (one, other) => amongFavourites(symbolOf(one)) - amongFavourites(symbolOf(other)) : compare,
    );
    return [{ id, title: TITLES[id], symbols: of.map(symbolOf) }];
  });
}

const symbolOf = ({ instrument }: Row): string => instrument.symbol;

/** What moving an instrument changes: the arrangement, or the symbols of the user's list. */
export interface Placement {
  readonly arrangement: Arrangement;
  readonly symbols?: readonly string[];
}

/**
 * Places an instrument before or after another one. Among the favourites it becomes one, in the group of its type it stops
 * being one. `null` if it cannot be placed there. A sorted list gets the displayed order as its own first, so that moving one row
 * moves no other.
 */
export function placed(
  arrangement: Arrangement,
  groups: readonly Group[],
  instrument: Pick<Instrument, 'symbol' | 'type'>,
  target: string,
  side: 'before' | 'after',
  list: WatchList | null = null,
): Placement | null {
  const { symbol, type } = instrument;
  const { view } = arrangement;
  const group = groups.find(({ symbols }) => symbols.includes(target));
  if (!group || target === symbol || view === 'movers') return null;
  if (group.id !== 'favourites' && group.id !== 'list' && group.id !== type) return null;
  const others = group.symbols.filter((each) => each !== symbol);
  const inserted = others.toSpliced(others.indexOf(target) + Number(side === 'after'), 0, symbol);
  const base: Arrangement = { ...arrangement, sort: null };
  const rest = (known: readonly string[]): readonly string[] => known.filter((each) => !inserted.includes(each));
  if (list) return { arrangement: base, symbols: mergedOrder(list.symbols, groups, group.id, inserted) };
  if (view === 'favourites')
    return { arrangement: { ...base, favourites: mergedOrder(arrangement.favourites, groups, group.id, inserted) } };
  if (group.id === 'favourites') return { arrangement: { ...base, favourites: inserted } };
  if (group.id === 'list') return { arrangement: { ...base, order: [...inserted, ...rest(arrangement.order)] } };
  const shown = groups.flatMap(({ id, symbols }) => (id === 'favourites' ? [] : symbols));
  const known = arrangement.order.length > 0 ? arrangement.order : shown;
  const favourites = arrangement.favourites.filter((each) => each !== symbol);
  return { arrangement: { ...base, favourites, order: [...rest(known), ...inserted] } };
}

/** The order of a whole list after one of its groups was ordered. Symbols that are not shown stay at the end. */
function mergedOrder(
  known: readonly string[],
  groups: readonly Group[],
  id: GroupId,
  inserted: readonly string[],
): readonly string[] {
  const shown = groups.flatMap((group) => (group.id === id ? inserted : group.symbols));
  return [...shown, ...known.filter((each) => !shown.includes(each))];
}

/** Moves an instrument up (−1) or down (1) within its group; `null` at the end of the group. */
export function moved(
  arrangement: Arrangement,
  groups: readonly Group[],
  instrument: Pick<Instrument, 'symbol' | 'type'>,
  by: -1 | 1,
  list: WatchList | null = null,
): Placement | null {
  const symbols = groups.find((group) => group.symbols.includes(instrument.symbol))?.symbols ?? [];
  const target = symbols[symbols.indexOf(instrument.symbol) + by];
  return target === undefined
    ? null
    : placed(arrangement, groups, instrument, target, by < 0 ? 'before' : 'after', list);
}

export const toggled = (list: readonly string[], name: string): readonly string[] =>
  list.includes(name) ? list.filter((each) => each !== name) : [...list, name];

export function withFavouriteToggled(arrangement: Arrangement, symbol: string): Arrangement {
  return { ...arrangement, favourites: toggled(arrangement.favourites, symbol) };
}

export function withGroupToggled(arrangement: Arrangement, id: string): Arrangement {
  return { ...arrangement, folded: toggled(arrangement.folded, id) };
}
