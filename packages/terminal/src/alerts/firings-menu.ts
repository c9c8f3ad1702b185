// The menu of the last firings, below the mark in the navigation.
import type { LastFiring } from '../services/unread-firings.ts';
import { pathOf } from '../ui/address.ts';
import { make } from '../ui/dom/elements.ts';
import { togglePopover } from '../ui/dom/popover.ts';
import { moment } from '../ui/relative-time.ts';

/** The panel gives the focus to its first link. */
const link = (href: string, text: string): HTMLElement => make('a', { href, tabindex: 0 }, text);

function line({ symbol, title, note, time, late }: LastFiring, isUnread: boolean): HTMLElement {
  const when = `${moment(time, Date.now())}${late ? ', noticed late' : ''}`;
  return make(
    'li',
    isUnread ? 'firing unread' : 'firing',
    link(symbol === null ? '/alerts/log' : pathOf('markets', symbol), title),
    ...(note === null ? [] : [make('span', 'clip', note)]),
    make('span', 'muted small', isUnread ? `${when} · new` : when),
  );
}

export function openFiringsMenu(button: HTMLElement, last: readonly LastFiring[], unread: readonly LastFiring[]): void {
  const content = (close: () => void): Node => {
    const lines = last.map((firing) => line(firing, unread.includes(firing)));
    const list = make('div', 'firings', make('ul', 'plain-list', ...lines), link('/alerts/log', 'All firings'));
    list.addEventListener('click', ({ target }) => {
      if (target instanceof HTMLAnchorElement) close();
    });
    return list;
  };
  togglePopover(button, content, { label: 'Last alerts' });
}
