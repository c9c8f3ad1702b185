// Display preferences, kept in this browser for all its tabs. A component that formats a time or a number renders again when
// they change.
import { type Signal, signal } from '@preact/signals';

export const APPEARANCES = ['system', 'dark', 'light'] as const;
export type Appearance = (typeof APPEARANCES)[number];

/** How large numbers and decimals are set: 1234.5, 1,234.5, 1.234,5, 1 234,5. */
export const NUMBER_FORMATS = ['plain', 'comma', 'dot', 'space'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

export interface Choices {
  readonly appearance: Appearance;
  /** An IANA name such as `Europe/Berlin`; '' for the browser's own. */
  readonly timeZone: string;
  readonly numbers: NumberFormat;
}

const NAME = 'tickwire.preferences';
const DEFAULT: Choices = { appearance: 'system', timeZone: '', numbers: 'plain' };

type PreferenceStorage = Pick<Storage, 'getItem' | 'setItem'>;

export class Preferences {
  readonly #storage: PreferenceStorage | undefined;
  readonly #choices: Signal<Choices>;

  /** Without a storage, as in a test, the defaults hold until something is set. */
  constructor(storage: PreferenceStorage | undefined) {
    this.#storage = storage;
    this.#choices = signal(read(storage));
  }

  get choices(): Choices {
    return this.#choices.value;
  }

  /** False if the browser stores nothing: the change then lasts until the page is closed. */
  set(changes: Partial<Choices>): boolean {
    this.#choices.value = { ...this.#choices.peek(), ...changes };
    return write(this.#storage, this.#choices.peek());
  }

  /** Another tab has changed them. */
  reread(): void {
    this.#choices.value = read(this.#storage);
  }

  onChange(signal: AbortSignal, listener: () => void): void {
    let subscribed = false;
    const stop = this.#choices.subscribe(() => subscribed && listener());
    subscribed = true;
    signal.addEventListener('abort', stop);
  }

  /** Follows changes made in other tabs. The key is `null` if the whole storage was cleared. */
  follow(tabs: EventTarget): void {
    tabs.addEventListener('storage', (event) => {
      const { key: name } = event as StorageEvent;
      if (name === NAME || name === null) this.reread();
    });
  }
}

/** Values written by another version or by hand may be anything: an unknown one falls back to its default. */
function read(storage: PreferenceStorage | undefined): Choices {
  let stored: unknown;
  try {
    stored = JSON.parse(storage?.getItem(NAME) ?? '{}');
  } catch {
    return DEFAULT;
  }
  if (typeof stored !== 'object' || stored === null) return DEFAULT;
  const { appearance, timeZone, numbers } = stored as Readonly<Record<string, unknown>>;
  return {
    appearance: APPEARANCES.find((each) => each === appearance) ?? DEFAULT.appearance,
    timeZone: typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : DEFAULT.timeZone,
    numbers: NUMBER_FORMATS.find((each) => each === numbers) ?? DEFAULT.numbers,
  };
}

function write(storage: PreferenceStorage | undefined, choices: Choices): boolean {
  try {
    storage?.setItem(NAME, JSON.stringify(choices));
    return storage !== undefined;
  } catch {
    return false;
  }
}

/** A name that this browser knows; '' is its own zone. An offset such as `+02:00` is not a zone: it has no summer time. */
export function isTimeZone(name: string): boolean {
  if (name === '') return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A browser that blocks site data throws when `localStorage` is read. */
function browserStorage(): PreferenceStorage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

export const preferences = new Preferences(browserStorage());
