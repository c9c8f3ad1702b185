// Order flow beside the chart: delta, imbalance, absorption and the tape. Messages are only recorded; the frame scheduler writes
// them to the page.
import type { Instrument, OrderFlowTick } from '@tickwire/client';
import { make, write, writeSigned } from '../ui/dom/elements.ts';
import { decimalsOf, NO_VALUE, setNumber, signedVolume } from '../ui/format.ts';
import { coalesced } from '../ui/frame-scheduler.ts';
import { preferences } from '../ui/preferences.ts';
import { Tape } from './tape.ts';
import { TapeList } from './tape-list.ts';

/** An absorption is reported in a single message and shown for this long. */
const ABSORPTION_SECONDS = 10;

const figure = (label: string, title: string, ...value: readonly HTMLElement[]): HTMLElement =>
  make('div', 'flow-figure', make('dt', { title }, label), make('dd', {}, ...value));

export class OrderFlowPanel {
  readonly element: HTMLElement;
  readonly #cumulative = make('span', {}, NO_VALUE);
  readonly #delta = make('span', {}, NO_VALUE);
  readonly #imbalance = make('span', 'flow-imbalance', NO_VALUE);
  readonly #needle = make('span', 'flow-needle');
  readonly #absorption = make('span', {}, NO_VALUE);
  readonly #empty = make('p', 'flow-empty');
  readonly #list = new TapeList();
  #symbol = '';
  /** Decimals of the finest price seen; JSON drops trailing zeros, so this can only grow. */
  #digits = 2;
  #tape = new Tape();
  #newest: OrderFlowTick | null = null;
  #absorbed: { readonly side: 'buy' | 'sell'; readonly time: number } | null = null;
  readonly #scheduleDraw = coalesced(() => this.#draw());

  constructor(signal: AbortSignal) {
    preferences.onChange(signal, () => {
      this.#list.rewrite();
      this.#draw();
    });
    signal.addEventListener('abort', () => this.#close());
    const meter = make('span', { class: 'flow-meter', 'aria-hidden': 'true' }, this.#needle);
    const figures = make(
      'dl',
      'flow-figures',
      figure('Cumulative delta', 'Buy volume minus sell volume since 00:00 UTC', this.#cumulative),
      figure('Delta, 1 s', 'Buy volume minus sell volume in the last second with trades', this.#delta),
      figure('Imbalance', '(buy − sell) / total volume of the last 60 s', meter, this.#imbalance),
      figure('Absorption', 'The passive side that holds the price', this.#absorption),
    );
    const titles = ['Time', 'Price', 'Size'].map((title) => make('span', {}, title));
    const heads = make('div', { class: 'tape-heads', 'aria-hidden': 'true' }, ...titles);
    const tape = make('div', 'flow-tape', heads, this.#list.element, this.#empty);
    this.element = make('section', { class: 'flow panel', 'aria-label': 'Order flow' }, figures, tape);
  }

  /** Shows another instrument; everything of the previous one is removed. */
  open(instrument: Instrument, digits: number): void {
    this.#symbol = instrument.symbol;
    this.#digits = digits;
    this.#tape = new Tape();
    this.#newest = null;
    this.#absorbed = null;
    this.#list.clear();
    for (const each of [this.#cumulative, this.#delta, this.#imbalance, this.#absorption]) writeSigned(each, NO_VALUE);
    this.#needle.style.width = '0';
    write(this.#empty, `Waiting for trades of ${instrument.symbol}.`);
    this.#empty.hidden = false;
  }

  add(tick: OrderFlowTick): void {
    // Messages for the previous instrument may still arrive.
    if (tick.symbol !== this.#symbol) return;
    this.#newest = tick;
    this.#tape.add(tick);
    this.refineDigits(decimalsOf(tick.price));
    if (tick.absorption !== null) this.#absorbed = { side: tick.absorption, time: tick.time };
    this.#scheduleDraw();
  }

  /** A quote may have more decimals than the trades so far. */
  refineDigits(digits: number): void {
    if (digits <= this.#digits) return;
    this.#digits = digits;
    this.#list.rewrite(digits);
  }

  #close(): void {
    this.#newest = null;
    this.#symbol = '';
  }

  #draw(): void {
    const newest = this.#newest;
    if (!newest) return;
    const prints = this.#tape.drain();
    this.#list.add(prints, this.#digits);
    if (prints.length > 0) this.#empty.hidden = true;
    writeSigned(this.#cumulative, signedVolume(newest.cumulative_delta));
    writeSigned(this.#delta, signedVolume(this.#tape.secondDelta));
    this.#showImbalance(newest.imbalance);
    if (this.#absorbed && newest.time - this.#absorbed.time > ABSORPTION_SECONDS) this.#absorbed = null;
    const side = this.#absorbed?.side;
    if (side) writeSigned(this.#absorption, `${side}ers hold`, side === 'buy' ? 'up' : 'down');
    else writeSigned(this.#absorption, 'none');
  }

  #showImbalance(imbalance: number): void {
    // A value that rounds to zero has no sign.
    const rounded = Math.round(imbalance * 100) / 100 || 0;
    write(this.#imbalance, setNumber(rounded.toFixed(2)));
    this.#needle.style.width = `${Math.abs(imbalance) * 50}%`;
    this.#needle.style.left = imbalance < 0 ? `${50 + imbalance * 50}%` : '50%';
    this.#needle.dataset.sign = imbalance < 0 ? 'down' : 'up';
  }
}
