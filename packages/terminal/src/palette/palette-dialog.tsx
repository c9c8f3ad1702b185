// The list of the command palette: a combobox with a listbox, in a modal dialog.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { DIALOG_TITLE, openDialog } from '../ui/dialog.tsx';
import { isMac, keyCaps } from '../ui/keyboard.ts';
import { rank } from './fuzzy.ts';
import { guideCommands } from './guide-commands.ts';
import { type Command, TITLE } from './palette.tsx';

const MAX_FOUND = 50;
const PAGE = 8;
const PLACEHOLDER = 'Instrument, page, setting, command or guide';

let dialog: HTMLDialogElement | null = null;

/** Opens it unless it is open. A click outside closes it, and so does the end of the session. */
export function openPalette(commands: readonly Command[], signal: AbortSignal): void {
  if (dialog?.open || signal.aborted) return;
  const opened = openDialog((close) => <Palette commands={commands} close={close} />, 'palette');
  opened.addEventListener('click', ({ target }) => target === opened && opened.close());
  const close = (): void => opened.close();
  signal.addEventListener('abort', close);
  opened.addEventListener('close', () => signal.removeEventListener('abort', close));
  dialog = opened;
}

interface PaletteProps {
  readonly commands: readonly Command[];
  readonly close: () => void;
}

function Palette({ commands, close }: PaletteProps) {
  const typed = useSignal('');
  const selected = useSignal(0);
  const guide = useSignal<readonly Command[]>([]);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void guideCommands().then((pages) => {
      guide.value = pages;
    });
  }, []);
  const search = (these: readonly Command[]) => rank(typed.value, these, textsOf, MAX_FOUND);
  const shown = useMemo(() => search(commands), [typed.value]);
  // Last: somebody who types "news" wants the page, not a description of it.
  const explained = useMemo(() => search(guide.value), [typed.value, guide.value]);
  const found = [...shown, ...explained];
  const at = selected.value;
  useLayoutEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at, shown]);
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
