// Display preferences, kept in this browser for all its tabs. A component that formats a time or a number renders again when
// they change.
import { type Signal, signal } from '@preact/signals';
import { type RecordStorage, readRecord, storeRecord } from './stored-record.ts';

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
  /** Whether an alert that fires makes a sound. */
  readonly alertSound: boolean;
}

const NAME = 'tickwire.preferences';
const DEFAULT: Choices = { appearance: 'system', timeZone: '', numbers: 'plain', alertSound: false };

export class Preferences {
  readonly #storage: RecordStorage | undefined;
  readonly #choices: Signal<Choices>;

  /** Without a storage, as in a test, the defaults hold until something is set. */
  constructor(storage: RecordStorage | undefined) {
    this.#storage = storage;
    this.#choices = signal(read(storage));
  }

  get choices(): Choices {
    return this.#choices.value;
  }

  /** False if the browser stores nothing: the change then lasts until the page is closed. */
  set(changes: Partial<Choices>): boolean {
    this.#choices.value = { ...this.#choices.peek(), ...changes };
    return storeRecord(this.#storage, NAME, this.#choices.peek());
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

/** An unknown value falls back to its default. */
function read(storage: RecordStorage | undefined): Choices {
  const { appearance, timeZone, numbers, alertSound } = readRecord(storage, NAME);
  return {
    appearance: APPEARANCES.find((each) => each === appearance) ?? DEFAULT.appearance,
    timeZone: typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : DEFAULT.timeZone,
    numbers: NUMBER_FORMATS.find((each) => each === numbers) ?? DEFAULT.numbers,
    alertSound: alertSound === true,
  };
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
function browserStorage(): RecordStorage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

export const preferences = new Preferences(browserStorage());
