// The elements of the chart panel: choices, drawing, and the words over and beside it for who cannot see it.
import { box, link, make, write } from '../elements.ts';

/** The library asks for this where its own logo is off. */
function attribution(): HTMLAnchorElement {
  const made = link('Charts by TradingView Lightweight Charts', 'https://www.tradingview.com/', 'chart-attribution');
  made.rel = 'noopener noreferrer';
  made.target = '_blank';
  return made;
}

let frames = 0;

export class ChartFrame {
  readonly element: HTMLElement;
  /** Where the library draws. It takes the keys. */
  readonly surface = make('div', 'chart-surface');
  readonly #veil = make('p', 'chart-veil');
  readonly #reach = make('p', 'chart-note');
  readonly #missing = make('p', 'chart-note');
  readonly #summary = make('p', 'unseen');
  readonly #spoken = make('p', 'unseen');

  constructor(bar: HTMLElement, legend: HTMLElement) {
    this.#veil.setAttribute('role', 'status');
    this.#reach.setAttribute('role', 'status');
    this.#spoken.setAttribute('aria-live', 'polite');
    this.#summary.id = `chart-summary-${++frames}`;
    this.surface.tabIndex = 0;
    this.surface.setAttribute('role', 'application');
    this.surface.setAttribute('aria-roledescription', 'price chart');
    this.surface.setAttribute('aria-describedby', this.#summary.id);
    const notes = box('div', 'chart-notes', this.#reach, this.#missing);
    const stage = box('div', 'chart-stage', this.surface, legend, notes, this.#veil, attribution());
    this.element = box('section', 'chart panel', bar, stage, this.#summary, this.#spoken);
    this.element.setAttribute('aria-label', 'Chart');
  }

  /** What is drawn from here on. */
  name(name: string): void {
    this.surface.setAttribute('aria-label', name);
    this.summarise(`${name}: loading.`);
    this.speak('');
    this.sayMissing('');
    this.veil('Loading…');
  }

  /** Over the drawing, as long as there is none; '' takes it away. */
  veil(message: string): void {
    write(this.#veil, message);
    this.#veil.hidden = message === '';
  }

  /** How far back it goes. */
  sayReach(message: string): void {
    write(this.#reach, message);
  }

  /** What cannot be drawn, and why. */
  sayMissing(message: string): void {
    write(this.#missing, message);
  }

  /** Read with the chart, not by itself. */
  summarise(text: string): void {
    write(this.#summary, text);
  }

  /** Read out when the reader pauses. */
  speak(text: string): void {
    write(this.#spoken, text);
  }
}
