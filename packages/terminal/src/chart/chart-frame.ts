// The elements of the chart panel: toolbar, drawing, notes, and texts for screen readers.
import type { TickwireError } from '@tickwire/client';
import { make, write } from '../ui/dom/elements.ts';
import { figure } from '../ui/format.ts';
import type { HistoryState } from './bar-feed.ts';
import { MAX_CANDLES } from './chart-bars.ts';

/** Required by the license of the library if its logo is off. */
const ATTRIBUTION = {
  class: 'chart-attribution',
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

let frames = 0;

export class ChartFrame {
  readonly element: HTMLElement;
  /** The library draws here. It takes the focus. */
  readonly surface: HTMLElement;
  readonly #overlay = make('p', { class: 'chart-veil', role: 'status' });
  readonly #history = make('p', { class: 'chart-note', role: 'status' });
  readonly #missing = make('p', 'chart-note');
  readonly #summary = make('p', { class: 'unseen', id: `chart-summary-${++frames}` });
  readonly #announcement = make('p', { class: 'unseen', 'aria-live': 'polite' });

  constructor(bar: HTMLElement, legend: HTMLElement) {
    this.surface = make('div', {
      class: 'chart-surface',
      tabindex: 0,
      role: 'application',
      'aria-roledescription': 'price chart',
      'aria-describedby': this.#summary.id,
    });
    const notes = make('div', 'chart-notes', this.#history, this.#missing);
    const attribution = make('a', ATTRIBUTION, 'Charts by TradingView Lightweight Charts');
    const stage = make('div', 'chart-stage', this.surface, legend, notes, this.#overlay, attribution);
    const panel = { class: 'chart panel', 'aria-label': 'Chart' };
    this.element = make('section', panel, bar, stage, this.#summary, this.#announcement);
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
