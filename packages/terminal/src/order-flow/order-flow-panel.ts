// Order flow beside the chart: delta, imbalance, absorption and the tape. Messages are only recorded; the frame scheduler writes
// them to the page.
import type { Instrument, OrderFlowTick } from '@tickwire/client';
import { absorptionText } from '../services/absorption-text.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { make, write, writeSigned } from '../ui/dom/elements.ts';
import { decimalsOf, NO_VALUE, setNumber, signedVolume } from '../ui/format.ts';
import { coalesced, frameScheduler } from '../ui/frame-scheduler.ts';
import { preferences } from '../ui/preferences.ts';
import { largeSizeOf, TAPE_LENGTH, Tape } from './tape.ts';
import { TapeBackfill } from './tape-backfill.ts';
import { TapeControls } from './tape-controls.ts';
import { TapeList } from './tape-list.ts';

/** An absorption is reported in a single message and shown for this long. */
const ABSORPTION_SECONDS = 10;
/** The size of a large trade is calculated again this often. */
const LARGE_EVERY_MS = 2_000;

export function noTrades(symbol: string, { isReplay, hasPrice }: { isReplay: boolean; hasPrice: boolean }): string {
  const without = 'Without trades there is no tape and no order flow.';
  // A replay may be played from bars here, and have trades later.
  if (isReplay) return `No trades of ${symbol} are recorded for this part of the replay. ${without}`;
  const why = hasPrice ? 'its source has sent quotes only' : 'it has had no price yet';
  return `No trades of ${symbol} are recorded: ${why}. ${without}`;
}

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
  readonly #controls = new TapeControls({ onSizes: () => this.#showAll(), onPause: () => this.#togglePause() });
  readonly #backfill: TapeBackfill;
  #symbol = '';
  /** Decimals of the finest price seen; JSON drops trailing zeros, so this can only grow. */
  #digits = 2;
  #tape = new Tape();
  #newest: OrderFlowTick | null = null;
  #absorbed: { readonly side: 'buy' | 'sell'; readonly time: number; readonly price: number } | null = null;
  /** Paused by the button, or while the pointer is over the tape. */
  #held = false;
  #hovered = false;
  /** Scrolled down. Kept, because reading it from the element would compute the layout of the page. */
  #scrolled = false;
  /** The whole tape has to be shown again after the pause. */
  #behind = false;
  #largeAt = 0;
  #shownMin = 0;
  readonly #scheduleDraw = coalesced(() => this.#draw());

  constructor(
    { client, isReplay, notifier, quotes }: Pick<TerminalServices, 'client' | 'isReplay' | 'notifier' | 'quotes'>,
    signal: AbortSignal,
  ) {
    this.#backfill = new TapeBackfill({
      client,
      onTrades: (trades) => {
        this.#tape.backfill(trades);
        for (const { price } of trades.slice(-50)) this.refineDigits(decimalsOf(price));
        const hasPrice = quotes.row(this.#symbol)?.bid !== null;
        if (this.#tape.prints.length === 0) write(this.#empty, noTrades(this.#symbol, { isReplay, hasPrice }));
        this.#showAll();
        if (this.#tape.hasGap) this.#backfill.again();
      },
      onError: (error) => notifier.reportError(error, 'Tape'),
    });
    this.#listenToPointer(signal);
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
    const heads = make('div', { class: 'tape-heads muted tiny', 'aria-hidden': 'true' }, ...titles);
    const tape = make('div', 'flow-tape', this.#controls.element, heads, this.#list.element, this.#empty);
    this.element = make('section', { class: 'flow panel', 'aria-label': 'Order flow' }, figures, tape);
  }

  /** Shows another instrument; everything of the previous one is removed. */
  open(instrument: Instrument, digits: number): void {
    this.#symbol = instrument.symbol;
    this.#digits = digits;
    this.#tape = new Tape();
    this.#newest = null;
    this.#absorbed = null;
    this.#held = false;
    this.#behind = false;
    this.#largeAt = 0;
    this.#list.clear();
    this.#list.highlightFrom(null);
    this.#scrollToTop();
    this.#controls.open(instrument.symbol);
    this.#controls.showPause(this.#paused, 0);
    this.#backfill.open(instrument.symbol);
    for (const each of [this.#cumulative, this.#delta, this.#imbalance, this.#absorption]) writeSigned(each, NO_VALUE);
    this.#absorption.title = '';
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
    if (tick.absorption !== null) this.#absorbed = { side: tick.absorption, time: tick.time, price: tick.price };
    if (this.#tape.hasGap) this.#backfill.again();
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
    this.#backfill.close();
  }

  /** Nothing moves while someone reads: under the pointer, scrolled down, or after pressing the button. */
  get #paused(): boolean {
    return this.#held || this.#hovered || this.#scrolled;
  }

  #listenToPointer(signal: AbortSignal): void {
    const { element } = this.#list;
    const hover = (hovered: boolean) => (event: PointerEvent) => {
      if (event.pointerType === 'touch') return;
      this.#hovered = hovered;
      this.#drawTape();
    };
    element.addEventListener('pointerenter', hover(true), { signal });
    element.addEventListener('pointerleave', hover(false), { signal });
    element.addEventListener(
      'scroll',
      () => {
        this.#scrolled = element.scrollTop > 0;
        this.#scheduleDraw();
      },
      { signal, passive: true },
    );
  }

  #togglePause(): void {
    const paused = this.#paused;
    this.#held = !paused;
    if (paused) this.#scrollToTop();
    this.#drawTape();
  }

  #scrollToTop(): void {
    if (!this.#scrolled) return;
    this.#scrolled = false;
    this.#list.element.scrollTop = 0;
  }

  #draw(): void {
    this.#drawTape();
    const newest = this.#newest;
    if (!newest) return;
    writeSigned(this.#cumulative, signedVolume(newest.cumulative_delta));
    writeSigned(this.#delta, signedVolume(this.#tape.secondDelta));
    this.#showImbalance(newest.imbalance);
    if (this.#absorbed && newest.time - this.#absorbed.time > ABSORPTION_SECONDS) this.#absorbed = null;
    this.#showAbsorption();
  }

  #drawTape(): void {
    this.#updateLarge();
    const paused = this.#paused;
    this.#list.read = paused;
    this.#controls.showPause(paused, paused ? this.#tape.fresh : 0);
    if (paused) return;
    if (!frameScheduler.claim()) {
      this.#scheduleDraw();
      return;
    }
    if (this.#behind || this.#tape.fresh >= TAPE_LENGTH) this.#showAll();
    else {
      const { min } = this.#controls.sizes;
      const prints = this.#tape.drain();
      this.#list.add(min > 0 ? prints.filter(({ size }) => size >= min) : prints, this.#digits);
    }
    if (!this.#list.isEmpty) this.#empty.hidden = true;
  }

  /** Shows the tape again after trades were loaded or the filter was changed. */
  #showAll(): void {
    // A tape that is being read does not move; an empty one is not being read.
    this.#behind = this.#paused && !this.#list.isEmpty && this.#controls.sizes.min === this.#shownMin;
    if (this.#behind) return;
    const { min } = this.#controls.sizes;
    this.#shownMin = min;
    this.#largeAt = 0;
    this.#updateLarge();
    this.#list.set(this.#tape.latest(min), this.#digits);
    this.#empty.hidden = !this.#list.isEmpty;
    if (this.#list.isEmpty && this.#tape.prints.length > 0)
      write(this.#empty, `None of the last ${this.#tape.prints.length} trades is this large.`);
  }

  #updateLarge(): void {
    const { large } = this.#controls.sizes;
    if (performance.now() < this.#largeAt) return;
    this.#largeAt = performance.now() + LARGE_EVERY_MS;
    const usual = largeSizeOf(this.#tape.prints);
    this.#controls.showLarge(usual);
    this.#list.highlightFrom(large ?? usual);
  }

  #showAbsorption(): void {
    const absorbed = this.#absorbed;
    const title = absorbed ? absorptionText(absorbed, this.#digits) : '';
    if (this.#absorption.title !== title) this.#absorption.title = title;
    if (absorbed) writeSigned(this.#absorption, `${absorbed.side}ers hold`, absorbed.side === 'buy' ? 'up' : 'down');
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
