// How a person wants to see things: kept in this browser, for all its tabs. Whoever shows times or numbers asks here.

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

type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

export class Preferences {
  readonly #shelf: Shelf | undefined;
  readonly #listeners = new Set<() => void>();
  #choices: Choices;

  /** Without a shelf, as in a test, the defaults hold until something is set. */
  constructor(shelf: Shelf | undefined) {
    this.#shelf = shelf;
    this.#choices = read(shelf);
  }

  get choices(): Choices {
    return this.#choices;
  }

  /** False where the browser keeps nothing: then it holds until the page is left. */
  set(changes: Partial<Choices>): boolean {
    this.#choices = { ...this.#choices, ...changes };
    const kept = write(this.#shelf, this.#choices);
    this.#tell();
    return kept;
  }

  /** Another tab has changed them. */
  reread(): void {
    this.#choices = read(this.#shelf);
    this.#tell();
  }

  onChange(signal: AbortSignal, listener: () => void): void {
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => this.#listeners.delete(listener));
  }

  /** Hears of what other tabs set. `name` is null where the whole shelf was emptied. */
  follow(tabs: EventTarget): void {
    tabs.addEventListener('storage', (event) => {
      const { key: name } = event as StorageEvent;
      if (name === NAME || name === null) this.reread();
    });
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** What was written by another version, or by hand, may be anything: what is not known falls back, the rest holds. */
function read(shelf: Shelf | undefined): Choices {
  let kept: unknown;
  try {
    kept = JSON.parse(shelf?.getItem(NAME) ?? '{}');
  } catch {
    return DEFAULT;
  }
  if (typeof kept !== 'object' || kept === null) return DEFAULT;
  const { appearance, timeZone, numbers } = kept as Readonly<Record<string, unknown>>;
  return {
    appearance: APPEARANCES.find((each) => each === appearance) ?? DEFAULT.appearance,
    timeZone: typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : DEFAULT.timeZone,
    numbers: NUMBER_FORMATS.find((each) => each === numbers) ?? DEFAULT.numbers,
  };
}

function write(shelf: Shelf | undefined, choices: Choices): boolean {
  try {
    shelf?.setItem(NAME, JSON.stringify(choices));
    return shelf !== undefined;
  } catch {
    return false;
  }
}

/** A name that this browser knows; '' is its own zone. An offset such as `+02:00` is no zone: it knows no summer. */
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

/** A browser that blocks what sites keep throws already when asked for the shelf. */
function ownShelf(): Shelf | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Those of the page. */
export const preferences = new Preferences(ownShelf());
