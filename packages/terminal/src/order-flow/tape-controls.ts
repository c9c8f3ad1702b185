// Controls of the tape: the smallest size shown, the size from which on a trade is highlighted, and pause. Sizes are stored in this
// browser for each instrument, because those of currencies and of coins have nothing in common.
import { make, makeButton, write } from '../ui/dom/elements.ts';
import { figure, volume } from '../ui/format.ts';
import { readNumber } from '../ui/read-number.ts';
import { readRecord, storeRecord } from '../ui/stored-record.ts';

const NAME = 'tickwire.tape';
/** The instruments that were changed first are dropped. */
const MAX_SYMBOLS = 50;

export interface TapeSizes {
  /** 0: all trades. */
  readonly min: number;
  /** `null`: by the recent trades. */
  readonly large: number | null;
}

const DEFAULT: TapeSizes = { min: 0, large: null };

/** A number from 0 on; `null` for an empty text, `undefined` for anything else. */
export function sizeOf(text: string): number | null | undefined {
  const size = readNumber(text);
  return text.trim() === '' ? null : size !== null && size >= 0 ? size : undefined;
}

function storedSizes(): Readonly<Record<string, unknown>> {
  return Object(readRecord(localStorage, NAME).sizes) as Record<string, unknown>;
}

function read(symbol: string): TapeSizes {
  const { min, large } = Object(storedSizes()[symbol]) as Partial<Record<keyof TapeSizes, unknown>>;
  const isSize = (value: unknown): value is number => typeof value === 'number' && value > 0;
  return { min: isSize(min) ? min : 0, large: isSize(large) ? large : null };
}

function store(symbol: string, sizes: TapeSizes): void {
  const { [symbol]: _, ...others } = storedSizes();
  const kept = Object.entries(others).slice(1 - MAX_SYMBOLS);
  storeRecord(localStorage, NAME, { sizes: { ...Object.fromEntries(kept), [symbol]: sizes } });
}

export interface TapeControlEvents {
  readonly onSizes: () => void;
  readonly onPause: () => void;
}

export class TapeControls {
  readonly element: HTMLElement;
  readonly #min = sizeInput('Smallest size shown');
  readonly #large = sizeInput('Highlight trades from this size on');
  readonly #pause: HTMLButtonElement;
  #symbol = '';
  #sizes = DEFAULT;

  constructor({ onSizes, onPause }: TapeControlEvents) {
    this.#pause = makeButton('Pause', { class: 'tape-pause', 'aria-pressed': 'false' }, onPause);
    for (const [input, name] of [
      [this.#min, 'min'],
      [this.#large, 'large'],
    ] as const)
      input.addEventListener('input', () => {
        const size = sizeOf(input.value);
        input.setAttribute('aria-invalid', String(size === undefined));
        if (size === undefined) return;
        this.#sizes = { ...this.#sizes, [name]: size || DEFAULT[name] };
        store(this.#symbol, this.#sizes);
        onSizes();
      });
    this.element = make(
      'div',
      { class: 'tape-controls', role: 'group', 'aria-label': 'Tape' },
      make('label', 'tape-control muted tiny', 'Min size', this.#min),
      make('label', 'tape-control muted tiny', 'Large from', this.#large),
      this.#pause,
    );
  }

  get sizes(): TapeSizes {
    return this.#sizes;
  }

  open(symbol: string): void {
    this.#symbol = symbol;
    this.#sizes = read(symbol);
    const { min, large } = this.#sizes;
    this.#min.value = min > 0 ? String(min) : '';
    this.#large.value = large === null ? '' : String(large);
    for (const input of [this.#min, this.#large]) input.setAttribute('aria-invalid', 'false');
    this.showLarge(null);
  }

  /** The size that is used if none is set. */
  showLarge(size: number | null): void {
    this.#large.placeholder = size === null ? 'auto' : `auto ${volume(size)}`;
  }

  /** `waiting`: trades that are not shown yet. */
  showPause(paused: boolean, waiting: number): void {
    const pressed = String(paused);
    if (this.#pause.getAttribute('aria-pressed') !== pressed) this.#pause.setAttribute('aria-pressed', pressed);
    write(this.#pause, paused ? `Paused, ${figure(waiting)} new` : 'Pause');
  }
}

function sizeInput(label: string): HTMLInputElement {
  return make('input', {
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    maxlength: 12,
    placeholder: 'all',
    title: label,
    'aria-label': label,
  });
}
