// The command palette: everything by name, with the keyboard. Here are its button and shortcuts; the list is loaded with the
// first use.
import { render } from 'preact';
import { make } from '../ui/dom/elements.ts';
import { isMac, keyboard, keyCaps, listenToKeys, type Offer, type Shortcut } from '../ui/keyboard.ts';

export const TITLE = 'Search and commands';
/** Second key after `g`, by the name of the page. */
const PAGE_KEYS: Readonly<Record<string, string>> = {
  markets: 'm',
  signals: 's',
  publishers: 'p',
  news: 'n',
  calendar: 'c',
  alerts: 'a',
  settings: ',',
};

export interface Command extends Offer {
  /** Its shortcut, if it has one. */
  readonly keys?: string;
}

export interface PaletteOptions {
  readonly signal: AbortSignal;
  /** Pages that get a shortcut. */
  readonly pages: readonly { readonly name: string; readonly label: string | null; readonly open: () => void }[];
  /** Loaded when it is first opened. */
  readonly openPalette: () => void;
  readonly openShortcuts: () => void;
}

/** Adds the palette, its button in the top bar and the keyboard shortcuts, until the signal is aborted. */
export function addPalette({ signal, pages, openPalette, openShortcuts }: PaletteOptions): void {
  const pageShortcuts = pages.flatMap(({ name, label, open: run }): Shortcut[] => {
    const key = PAGE_KEYS[name];
    const title = `Go to ${(label ?? name).toLowerCase()}`;
    return key === undefined ? [] : [{ keys: `g ${key}`, title, group: 'Pages', run }];
  });
  keyboard.add(signal, [
    { keys: 'mod+k', title: TITLE, group: 'Everywhere', run: openPalette },
    ...pageShortcuts,
    { keys: '?', title: 'Keyboard shortcuts', group: 'Everywhere', run: openShortcuts },
  ]);
  listenToKeys(keyboard, signal);
  const host = make('span');
  document.querySelector('.top .aside')?.prepend(host);
  render(<PaletteButton onClick={openPalette} />, host);
  signal.addEventListener('abort', () => {
    render(null, host);
    host.remove();
  });
}

function PaletteButton({ onClick }: { readonly onClick: () => void }) {
  const caps = keyCaps('mod+k', isMac);
  return (
    // Small screens hide the word; the title then names the button.
    <button type="button" class="palette-open line muted" title={`${TITLE} (${caps.join(' + ')})`} onClick={onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M10.5 10.5 14 14M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0Z" />
      </svg>
      <span class="wide">Search</span>
      <span aria-hidden="true">
        <kbd>{caps.join(' ')}</kbd>
      </span>
    </button>
  );
}
