// The one list of shortcuts: what is not in it does nothing, and the dialog that explains them shows this very list.
// Keys without Ctrl, Alt or ⌘ are for the page only: in a field, or while a dialog is open, they are ordinary letters. They
// can be turned off, as those who speak to their computer need (WCAG 2.1.4). Keys of a part that has the focus always hold.

export interface Shortcut {
  /** One key as the browser names it (`/`, `1`, `Home`), two after each other (`g m`), `mod+k` for Ctrl, on a Mac ⌘, `alt+…`. */
  readonly keys: string;
  readonly title: string;
  readonly group: string;
  /** Only while this very element has the focus. */
  readonly at?: EventTarget;
  /** `held`: the key is held down; only shortcuts of an element hear of that. */
  readonly run: (held: boolean) => void;
}

/** The part of a key event that counts. */
export interface Stroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
}

/** For the second key of two. */
const SECOND_WITHIN_MS = 1_200;
const NAME = 'tickwire.single-keys';

type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

export class Keyboard {
  readonly #shortcuts: Shortcut[] = [];
  readonly #shelf: Shelf | undefined;
  readonly #now: () => number;
  #first: { readonly key: string; readonly at: number } | null = null;

  constructor(shelf: Shelf | undefined, now: () => number = Date.now) {
    this.#shelf = shelf;
    this.#now = now;
  }

  /** In the order they were added. */
  get shortcuts(): readonly Shortcut[] {
    return this.#shortcuts;
  }

  get singleKeys(): boolean {
    return this.#shelf?.getItem(NAME) !== 'off';
  }

  set singleKeys(on: boolean) {
    this.#shelf?.setItem(NAME, on ? 'on' : 'off');
  }

  /** Until the signal is aborted, as when the page they belong to is left. */
  add(signal: AbortSignal, shortcuts: readonly Shortcut[]): void {
    for (const { keys, at } of shortcuts)
      if (this.#find(keys, at)) throw new Error(`The keys ${keys} are taken already`);
    this.#shortcuts.push(...shortcuts);
    signal.addEventListener('abort', () => {
      for (const each of shortcuts) this.#shortcuts.splice(this.#shortcuts.indexOf(each), 1);
    });
  }

  /** The shortcut that this key completes. `typing`: the key may be meant for a field; `focused`: what has the focus. */
  hear(stroke: Stroke, typing: boolean, focused: EventTarget | null = null): Shortcut | null {
    const { key, ctrlKey, metaKey, altKey, repeat } = stroke;
    const first = this.#first;
    this.#first = null;
    const modifiers = `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}`;
    const chord = modifiers + (modifiers === '' ? key : key.length === 1 ? key.toLowerCase() : key);
    const own = focused && this.#find(chord, focused);
    if (own) return own;
    if (repeat) return null;
    if (modifiers !== '') return this.#find(chord);
    if (typing || !this.singleKeys) return null;
    if (first !== null && this.#now() - first.at <= SECOND_WITHIN_MS) {
      const second = this.#find(`${first.key} ${key}`);
      if (second) return second;
    }
    if (this.#shortcuts.some(({ keys, at }) => !at && keys.startsWith(`${key} `)))
      this.#first = { key, at: this.#now() };
    return this.#find(key);
  }

  #find(keys: string, at?: EventTarget): Shortcut | null {
    return this.#shortcuts.find((shortcut) => shortcut.keys === keys && shortcut.at === at) ?? null;
  }
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

export function listenToKeys(keyboard: Keyboard, signal: AbortSignal): void {
  const hear = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const inDialog = document.querySelector('dialog[open]') !== null;
    const shortcut = keyboard.hear(event, inDialog || isField(event.target), event.target);
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run(event.repeat);
  };
  document.addEventListener('keydown', hear, { signal });
}

const CAPS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
  Escape: 'Esc',
};

/** How the keys are written on this machine's keyboard. */
export function keyCaps(keys: string, mac: boolean): readonly string[] {
  return keys.split(/[ +]/).map((key) => {
    if (key === 'mod') return mac ? '⌘' : 'Ctrl';
    if (key === 'alt') return mac ? '⌥' : 'Alt';
    return CAPS[key] ?? (keys.includes('+') ? key.toUpperCase() : key);
  });
}

/** Of the page. */
export const keyboard = new Keyboard(globalThis.localStorage);
