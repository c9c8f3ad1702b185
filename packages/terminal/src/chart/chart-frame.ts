// The elements of the chart panel: toolbar, drawing, notes, and texts for screen readers.
import { make, write } from '../ui/dom/elements.ts';

/** Required by the license of the library if its logo is off. */
const ATTRIBUTION = {
  class: 'chart-attribution',
  href: 'https://www.tradingview.com/',
  rel: 'noopener noreferrer',
  target: '_blank',
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

  /** Whether there are older bars. */
  showHistory(message: string): void {
    write(this.#history, message);
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
