// Order flow beside the chart: who is pushing, how hard, whether somebody stands in the way, and the tape. Messages are only
// noted; the page is written once per beat, whatever comes in.

import type { Instrument, OrderFlowTick } from '@tickwire/client';
import { beat } from '../beat.ts';
import { box, make, write } from '../elements.ts';
import { decimalsOf, NOTHING, setNumber, signedVolume, signOf } from '../format.ts';
import { preferences } from '../preferences.ts';
import { Tape } from './tape.ts';
import { TapeList } from './tape-list.ts';

/** An absorption lasts one message on the wire and this long, in seconds, on the screen. */
const ABSORPTION_SECONDS = 10;

const figure = (label: string, title: string, ...value: readonly HTMLElement[]): HTMLElement => {
  const term = make('dt', '', label);
  term.title = title;
  return box('div', 'flow-figure', term, box('dd', '', ...value));
};

export class FlowPanel {
  readonly element: HTMLElement;
  readonly #cumulative = make('span', '', NOTHING);
  readonly #delta = make('span', '', NOTHING);
  readonly #imbalance = make('span', 'flow-imbalance', NOTHING);
  readonly #needle = make('span', 'flow-needle');
  readonly #absorption = make('span', '', NOTHING);
  readonly #empty = make('p', 'flow-empty');
  readonly #list = new TapeList();
  #symbol = '';
  /** Decimals of the finest price seen; JSON drops trailing zeros, so this can only grow. */
  #digits = 2;
  #tape = new Tape();
  #newest: OrderFlowTick | null = null;
  #absorbed: { readonly side: 'buy' | 'sell'; readonly time: number } | null = null;
  #asked = false;

  constructor(signal: AbortSignal) {
    preferences.onChange(signal, () => {
      this.#list.rewrite();
      this.#draw();
    });
    signal.addEventListener('abort', () => this.#close());
    const meter = box('span', 'flow-meter', this.#needle);
    meter.setAttribute('aria-hidden', 'true');
    const figures = box(
      'dl',
      'flow-figures',
      figure('Cumulative delta', 'Buying less selling volume since 00:00 UTC', this.#cumulative),
      figure('Delta, 1 s', 'Buying less selling volume in the last second that traded', this.#delta),
      figure('Imbalance', '(buying − selling) / all volume of the last 60 s', meter, this.#imbalance),
      figure('Absorption', 'The passive side that holds the price', this.#absorption),
    );
    const heads = box(
      'div',
      'tape-heads',
      make('span', '', 'Time'),
      make('span', '', 'Price'),
      make('span', '', 'Size'),
    );
    heads.setAttribute('aria-hidden', 'true');
    const tape = box('div', 'flow-tape', heads, this.#list.element, this.#empty);
    this.element = box('section', 'flow panel', figures, tape);
    this.element.setAttribute('aria-label', 'Order flow');
  }

  /** Another instrument: nothing of the last one may stay. */
  begin(instrument: Instrument, digits: number): void {
    this.#symbol = instrument.symbol;
    this.#digits = digits;
    this.#tape = new Tape();
    this.#newest = null;
    this.#absorbed = null;
    this.#list.clear();
    for (const each of [this.#cumulative, this.#delta, this.#imbalance, this.#absorption]) {
      write(each, NOTHING);
      each.dataset.sign = 'none';
    }
    this.#needle.style.width = '0';
    write(this.#empty, `Waiting for trades of ${instrument.symbol}.`);
    this.#empty.hidden = false;
  }

  show(tick: OrderFlowTick): void {
    // The last messages of the instrument before may still be under way.
    if (tick.symbol !== this.#symbol) return;
    this.#newest = tick;
    this.#tape.add(tick);
    this.refine(decimalsOf(tick.price));
    if (tick.absorption !== null) this.#absorbed = { side: tick.absorption, time: tick.time };
    this.#drawSoon();
  }

  /** A quote may show more decimals than the trades so far, or come before them. */
  refine(digits: number): void {
    if (digits <= this.#digits) return;
    this.#digits = digits;
    this.#list.rewrite(digits);
  }

  #close(): void {
    this.#newest = null;
    this.#symbol = '';
  }

  #drawSoon(): void {
    if (this.#asked) return;
    this.#asked = true;
    beat.next(() => {
      this.#asked = false;
      this.#draw();
    });
  }

  #draw(): void {
    const newest = this.#newest;
    if (!newest) return;
    const prints = this.#tape.take();
    this.#list.put(prints, this.#digits);
    if (prints.length > 0) this.#empty.hidden = true;
    put(this.#cumulative, signedVolume(newest.cumulative_delta));
    put(this.#delta, signedVolume(this.#tape.secondDelta));
    this.#lean(newest.imbalance);
    if (this.#absorbed && newest.time - this.#absorbed.time > ABSORPTION_SECONDS) this.#absorbed = null;
    write(this.#absorption, this.#absorbed ? `${this.#absorbed.side}ers hold` : 'none');
    this.#absorption.dataset.sign = this.#absorbed ? (this.#absorbed.side === 'buy' ? 'up' : 'down') : 'none';
  }

  #lean(imbalance: number): void {
    // What rounds to nothing has no sign.
    const rounded = Math.round(imbalance * 100) / 100 || 0;
    write(this.#imbalance, setNumber(rounded.toFixed(2)));
    this.#needle.style.width = `${Math.abs(imbalance) * 50}%`;
    this.#needle.style.left = imbalance < 0 ? `${50 + imbalance * 50}%` : '50%';
    this.#needle.dataset.sign = imbalance < 0 ? 'down' : 'up';
  }
}

function put(target: HTMLElement, text: string): void {
  write(target, text);
  target.dataset.sign = signOf(text);
}
