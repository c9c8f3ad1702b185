// The command palette: everything by name, with the keyboard. It is a combobox with a listbox, in a modal dialog.
import { useSignal } from '@preact/signals';
import { render } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { DIALOG_TITLE, openDialog } from '../ui/dialog.tsx';
import { make } from '../ui/dom/elements.ts';
import { isMac, keyboard, keyCaps, listenToKeys, type Shortcut } from '../ui/keyboard.ts';
import { rank } from './fuzzy.ts';

const MAX_FOUND = 50;
const PAGE = 8;
const TITLE = 'Search and commands';
const PLACEHOLDER = 'Instrument, page or command';
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

export interface Command {
  readonly title: string;
  /** What kind of thing it is, shown beside it. */
  readonly group: string;
  /** Also matched by the search. */
  readonly also?: string;
  /** Its shortcut, if it has one. */
  readonly keys?: string;
  readonly run: () => void;
}

export interface PaletteOptions {
  readonly signal: AbortSignal;
  /** Pages that get a shortcut. */
  readonly pages: readonly { readonly name: string; readonly label: string | null; readonly open: () => void }[];
  /** Called each time the palette opens: the current page adds commands. */
  readonly commands: () => readonly Command[];
  readonly openShortcuts: () => void;
}

/** Adds the palette, its button in the top bar and the keyboard shortcuts, until the signal is aborted. */
export function addPalette({ signal, pages, commands, openShortcuts }: PaletteOptions): void {
  let dialog: HTMLDialogElement | null = null;
  const open = (): void => {
    if (dialog?.open) return;
    const opened = openDialog((close) => <Palette commands={commands()} close={close} />, 'palette');
    opened.addEventListener('click', ({ target }) => target === opened && opened.close());
    dialog = opened;
  };
  const pageShortcuts = pages.flatMap(({ name, label, open: run }): Shortcut[] => {
    const key = PAGE_KEYS[name];
    const title = `Go to ${(label ?? name).toLowerCase()}`;
    return key === undefined ? [] : [{ keys: `g ${key}`, title, group: 'Pages', run }];
  });
  keyboard.add(signal, [
    { keys: 'mod+k', title: TITLE, group: 'Everywhere', run: open },
    ...pageShortcuts,
    { keys: '?', title: 'Keyboard shortcuts', group: 'Everywhere', run: openShortcuts },
  ]);
  listenToKeys(keyboard, signal);
  const host = make('span');
  document.querySelector('.top .aside')?.prepend(host);
  render(<PaletteButton onClick={open} />, host);
  signal.addEventListener('abort', () => {
    dialog?.close();
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

interface PaletteProps {
  readonly commands: readonly Command[];
  readonly close: () => void;
}

function Palette({ commands, close }: PaletteProps) {
  const typed = useSignal('');
  const selected = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(() => rank(typed.value, commands, textsOf, MAX_FOUND), [typed.value]);
  const at = selected.value;
  useLayoutEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at, found]);
  const run = (index: number): void => {
    // Closing returns the focus, and the command may move it.
    close();
    found[index]?.item.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = found.length - 1;
    if (event.isComposing || last < 0) return;
    const next = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at === 0 ? last : at - 1,
      PageDown: Math.min(last, at + PAGE),
      PageUp: Math.max(0, at - PAGE),
    }[event.key];
    if (next !== undefined) selected.value = next;
    else if (event.key === 'Enter') run(at);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <h2 class="unseen" id={DIALOG_TITLE}>
        {TITLE}
      </h2>
      <input
        type="text"
        placeholder={PLACEHOLDER}
        autocomplete="off"
        spellcheck={false}
        role="combobox"
        aria-label={PLACEHOLDER}
        aria-controls="commands"
        aria-expanded
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `command-${at}` : undefined}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          selected.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div class="commands" id="commands" role="listbox" aria-label="Commands" ref={list}>
        {found.map(({ item: { title, group, keys }, match }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the input has the focus and the keys.
          <div
            key={`${group} ${title}`}
            id={`command-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(index)}
          >
            <span class="command">
              {title.split('').map((letter, place) => (match.at.includes(place) ? <mark>{letter}</mark> : letter))}
            </span>
            <span class="group-name clip muted small">{group}</span>
            {keys !== undefined && (
              <span class="caps">
                {keyCaps(keys, isMac).map((cap) => (
                  <kbd key={cap}>{cap}</kbd>
                ))}
              </span>
            )}
          </div>
        ))}
      </div>
      <p class="empty" role="status" hidden={found.length > 0}>
        No matches
      </p>
    </>
  );
}

const textsOf = ({ title, also }: Command): readonly string[] => (also === undefined ? [title] : [title, also]);
