// The elements of the chart panel: toolbar, drawing, notes, and texts for screen readers.
import { box, link, make, write } from '../ui/dom/elements.ts';

/** Required by the license of the library if its logo is off. */
function attribution(): HTMLAnchorElement {
  const made = link('Charts by TradingView Lightweight Charts', 'https://www.tradingview.com/', 'chart-attribution');
  made.rel = 'noopener noreferrer';
  made.target = '_blank';
  return made;
}

let frames = 0;

export class ChartFrame {
  readonly element: HTMLElement;
  /** The library draws here. It takes the focus. */
  readonly surface = make('div', 'chart-surface');
  readonly #overlay = make('p', 'chart-veil');
  readonly #history = make('p', 'chart-note');
  readonly #missing = make('p', 'chart-note');
  readonly #summary = make('p', 'unseen');
  readonly #announcement = make('p', 'unseen');

  constructor(bar: HTMLElement, legend: HTMLElement) {
    this.#overlay.setAttribute('role', 'status');
    this.#history.setAttribute('role', 'status');
    this.#announcement.setAttribute('aria-live', 'polite');
    this.#summary.id = `chart-summary-${++frames}`;
    this.surface.tabIndex = 0;
    this.surface.setAttribute('role', 'application');
    this.surface.setAttribute('aria-roledescription', 'price chart');
    this.surface.setAttribute('aria-describedby', this.#summary.id);
    const notes = box('div', 'chart-notes', this.#history, this.#missing);
    const stage = box('div', 'chart-stage', this.surface, legend, notes, this.#overlay, attribution());
    this.element = box('section', 'chart panel', bar, stage, this.#summary, this.#announcement);
    this.element.setAttribute('aria-label', 'Chart');
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
