// The keys of the watchlist.
import type { Shortcut } from '../ui/keyboard.ts';

export interface WatchKeys {
  readonly list: HTMLElement;
  readonly search: HTMLInputElement;
  readonly toggleFavourite: () => void;
  readonly move: (by: number, held: boolean) => void;
  readonly enter: () => void;
  readonly fold: (folded: boolean) => void;
  readonly step: (by: -1 | 1) => void;
  readonly clearSearch: () => void;
  readonly first: () => void;
}

const PAGE = 10;

export function watchShortcuts(keys: WatchKeys): readonly Shortcut[] {
  const everywhere = 'Watchlist';
  const group = 'In the watchlist';
  const field = 'In the search';
  const { list: at, search } = keys;
  const step = (key: string, title: string, by: number): Shortcut => ({
    keys: key,
    title,
    group,
    at,
    run: (held) => keys.move(by, held),
  });
  return [
    { keys: '/', title: 'Search instruments', group: everywhere, run: () => search.select() },
    { keys: 'f', title: 'Toggle favourite', group: everywhere, run: () => keys.toggleFavourite() },
    step('ArrowDown', 'Next instrument', 1),
    step('ArrowUp', 'Previous instrument', -1),
    step('PageDown', 'Ten down', PAGE),
    step('PageUp', 'Ten up', -PAGE),
    step('Home', 'First line', Number.NEGATIVE_INFINITY),
    step('End', 'Last line', Number.POSITIVE_INFINITY),
    { keys: 'Enter', title: 'Show the instrument, or toggle the group', group, at, run: () => keys.enter() },
    { keys: 'ArrowLeft', title: 'Collapse the group', group, at, run: () => keys.fold(true) },
    { keys: 'ArrowRight', title: 'Expand the group', group, at, run: () => keys.fold(false) },
    { keys: 'alt+ArrowUp', title: 'Move the instrument up', group, at, run: () => keys.step(-1) },
    { keys: 'alt+ArrowDown', title: 'Move the instrument down', group, at, run: () => keys.step(1) },
    { keys: 'Escape', title: 'Clear the search', group: field, at: search, run: () => keys.clearSearch() },
    { keys: 'ArrowDown', title: 'Go to the first match', group: field, at: search, run: () => keys.first() },
    { keys: 'Enter', title: 'Show the first match', group: field, at: search, run: () => keys.first() },
  ];
}
