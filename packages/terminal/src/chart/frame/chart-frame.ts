// The elements of a chart: toolbar, drawing, notes, and texts for screen readers.
import type { TickwireError } from '@tickwire/client';
import { make, makeButton, write } from '../../ui/dom/elements.ts';
import { figure } from '../../ui/format.ts';
import type { HistoryState } from '../bars/bar-feed.ts';
import { MAX_CANDLES } from '../bars/chart-bars.ts';

/** Required by the license of the library if its logo is off. */
const ATTRIBUTION = {
  class: 'chart-attribution muted tiny',
  href: 'https://www.tradingview.com/',
  rel: 'noopener noreferrer',
  target: '_blank',
};

const HISTORY_TEXT: Readonly<Record<HistoryState, () => string>> = {
  more: () => '',
  loading: () => 'Loading older bars…',
  complete: () => 'Start of the recorded history',
  full: () => `${figure(MAX_CANDLES)} bars is the maximum. Choose a longer timeframe to go back further.`,
};

export interface ChartFrameOptions {
  readonly legend: HTMLElement;
  /** `null` for a chart without a toolbar. */
  readonly toolbar: HTMLElement | null;
  /** The button that leads back to the usual view. */
  readonly reset: { readonly text: string; readonly run: () => void };
}

let frames = 0;

export class ChartFrame {
  readonly element: HTMLElement;
  /** The library draws here. It takes the focus. */
  readonly surface: HTMLElement;
  /** Around the surface, with everything that lies above it. */
  readonly stage: HTMLElement;
  /** Appears when the view was moved away. */
  readonly #reset: HTMLButtonElement;
  readonly #overlay = make('p', { class: 'chart-veil', role: 'status' });
  readonly #history = make('p', { class: 'chart-note', role: 'status' });
  readonly #missing = make('p', 'chart-note');
  readonly #summary = make('p', { class: 'unseen', id: `chart-summary-${++frames}` });
  readonly #announcement = make('p', { class: 'unseen', 'aria-live': 'polite' });

  constructor({ legend, toolbar, reset }: ChartFrameOptions) {
    this.surface = make('div', {
      class: 'chart-surface',
      tabindex: 0,
      role: 'application',
      'aria-roledescription': 'price chart',
      'aria-describedby': this.#summary.id,
    });
    this.#reset = makeButton(reset.text, 'chart-latest', reset.run);
    this.#reset.hidden = true;
    const notes = make('div', 'chart-notes muted tiny', this.#history, this.#missing);
    const attribution = make('a', ATTRIBUTION, 'Charts by TradingView Lightweight Charts');
    this.stage = make('div', 'chart-stage', this.surface, legend, notes, this.#overlay, this.#reset, attribution);
    const panel = { class: toolbar ? 'chart panel' : 'chart range-chart', 'aria-label': 'Chart' };
    const parts = [this.stage, this.#summary, this.#announcement];
    this.element = make('section', panel, ...(toolbar ? [toolbar] : []), ...parts);
  }

  /** Names the series that is about to be loaded. */
  name(name: string): void {
    this.surface.setAttribute('aria-label', name);
    this.setSummary(`${name}: loading.`);
    this.announce('');
    this.showMissing('');
    this.showOverlay('Loading…');
  }

  /** A message instead of the drawing; '' hides it. */
  showOverlay(message: string): void {
    write(this.#overlay, message);
    this.#overlay.hidden = message === '';
  }

  /** A failed request, instead of the drawing. */
  showError({ detail, retryAfterSeconds }: TickwireError): void {
    const retry = retryAfterSeconds === null ? 'Retrying…' : `Retrying in ${retryAfterSeconds} s.`;
    this.showOverlay(`The bars could not be loaded. ${detail} ${retry}`);
  }

  /** Offers the way back to the usual view. `right`: width of the price axis. */
  showReset(isOffered: boolean, right: number): void {
    if (this.#reset.hidden !== isOffered) return;
    const hadFocus = document.activeElement === this.#reset;
    this.#reset.hidden = !isOffered;
    this.#reset.style.right = `${right + 8}px`;
    if (hadFocus) this.surface.focus({ preventScroll: true });
  }

  /** Whether there are older bars. */
  showHistory(history: HistoryState): void {
    write(this.#history, HISTORY_TEXT[history]());
  }

  /** What cannot be drawn, with the reason. */
  showMissing(message: string): void {
    write(this.#missing, message);
  }

  /** Describes the chart to screen readers. Changes are not announced. */
  setSummary(text: string): void {
    write(this.#summary, text);
  }

  /** Announced to screen readers. */
  announce(text: string): void {
    write(this.#announcement, text);
  }
}
