// All keyboard shortcuts, and what pages offer to the search without keys; the shortcuts dialog shows the former. Keys without Ctrl,
// Alt or ⌘ are ignored in fields and while a dialog is open. They can be turned off, as users of speech input need (WCAG 2.1.4). Keys
// of the focused element always work.

export interface Shortcut {
  /** A key as the browser names it (`/`, `1`, `Home`), a sequence (`g m`), `mod+k` for Ctrl or, on a Mac, ⌘, `alt+…`. */
  readonly keys: string;
  readonly title: string;
  readonly group: string;
  /** Only while this element has the focus. */
  readonly at?: EventTarget;
  /** `held`: the key is held down; only shortcuts of an element repeat. */
  readonly run: (held: boolean) => void;
}

/** Something without keys that the search finds. */
export interface Offer {
  readonly title: string;
  /** What kind of thing it is, shown beside it. */
  readonly group: string;
  /** Also matched by the search. */
  readonly also?: string;
  readonly run: () => void;
}

/** The relevant part of a key event. */
export interface Stroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
}

/** Time for the second key of a sequence. */
const SECOND_WITHIN_MS = 1_200;
const NAME = 'tickwire.single-keys';

type KeyboardStorage = Pick<Storage, 'getItem' | 'setItem'>;

export class Keyboard {
  readonly #shortcuts: Shortcut[] = [];
  readonly #offers = new Set<() => readonly Offer[]>();
  readonly #storage: KeyboardStorage | undefined;
  readonly #now: () => number;
  #first: { readonly key: string; readonly at: number } | null = null;

  constructor(storage: KeyboardStorage | undefined, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
  }

  get shortcuts(): readonly Shortcut[] {
    return this.#shortcuts;
  }

  /** What the open page offers at the moment. */
  get offers(): readonly Offer[] {
    return [...this.#offers].flatMap((list) => list());
  }

  get singleKeys(): boolean {
    return this.#storage?.getItem(NAME) !== 'off';
  }

  set singleKeys(on: boolean) {
    this.#storage?.setItem(NAME, on ? 'on' : 'off');
  }

  /** Until the signal is aborted, usually when the user leaves the page. */
  add(signal: AbortSignal, shortcuts: readonly Shortcut[]): void {
    for (const { keys, at } of shortcuts)
      if (this.#find(keys, at)) throw new Error(`The keys ${keys} are already in use`);
    this.#shortcuts.push(...shortcuts);
    signal.addEventListener('abort', () => {
      for (const each of shortcuts) this.#shortcuts.splice(this.#shortcuts.indexOf(each), 1);
    });
  }

  /** `list` is asked each time the search opens. Until the signal is aborted. */
  offer(signal: AbortSignal, list: () => readonly Offer[]): void {
    this.#offers.add(list);
    signal.addEventListener('abort', () => this.#offers.delete(list));
  }

  /** The shortcut that this key completes. `typing`: the key may be meant for a field; `focused`: the focused element. */
  press(stroke: Stroke, typing: boolean, focused: EventTarget | null = null): Shortcut | null {
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

export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/** The space bar presses it. */
const isPressable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, summary, a, [role=menu]') !== null;

export function listenToKeys(keyboard: Keyboard, signal: AbortSignal): void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const inDialog = document.querySelector('dialog[open]') !== null;
    const typing = inDialog || isField(event.target) || (event.key === ' ' && isPressable(event.target));
    const shortcut = keyboard.press(event, typing, event.target);
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run(event.repeat);
  };
  document.addEventListener('keydown', onKey, { signal });
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

/** The keys as they are labelled on this machine. */
export function keyCaps(keys: string, mac: boolean): readonly string[] {
  if (keys === ' ') return ['Space'];
  return keys.split(/[ +]/).map((key) => {
    if (key === 'mod') return mac ? '⌘' : 'Ctrl';
    if (key === 'alt') return mac ? '⌥' : 'Alt';
    return CAPS[key] ?? (keys.includes('+') ? key.toUpperCase() : key);
  });
}

export const keyboard = new Keyboard(globalThis.localStorage);
export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');
