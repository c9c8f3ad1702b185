// The plot of sentiment over time: a bar from the zero line for the mean score of each stretch, below it how many items that
// was made of. Gone through by pointer or arrow keys; what is under the cursor is said in words.
import { box, make, write } from '../elements.ts';
import { type Stretch, scaleOf } from './sentiment-series.ts';
import { score } from './words.ts';

const SVG = 'http://www.w3.org/2000/svg';
const SLOT = 10;
const GAP = 2;
/** Of a height of 100: scores above, counts below. */
const SCORES = 72;
const COUNTS_TOP = 78;
const HEIGHT = 100;

export class SentimentPlot {
  readonly element = make('div', 'plot');
  readonly #picture = shape('svg', { preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  readonly #cursor = shape('rect', { y: 0, width: SLOT, height: HEIGHT });
  readonly #top = make('span', 'plot-scale high');
  readonly #bottom = make('span', 'plot-scale low');
  readonly #say: (stretch: Stretch) => string;
  readonly #onPoint: (stretch: Stretch | null) => void;
  #stretches: readonly Stretch[] = [];
  #at: number | null = null;

  /** `say`: a stretch in words; `onPoint`: the reader looks at one, or at none any more. */
  constructor(say: (stretch: Stretch) => string, onPoint: (stretch: Stretch | null) => void) {
    this.#say = say;
    this.#onPoint = onPoint;
    this.#cursor.classList.add('plot-cursor');
    this.element.append(box('div', 'plot-scales', this.#top, this.#bottom), this.#picture);
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'slider');
    this.element.setAttribute('aria-label', 'Sentiment over time, stretch by stretch');
    this.element.addEventListener('pointermove', (event) => this.#point(this.#under(event.clientX)));
    this.element.addEventListener('pointerdown', (event) => this.#point(this.#under(event.clientX)));
    this.element.addEventListener('pointerleave', () => this.#point(null));
    this.element.addEventListener('blur', () => this.#point(null));
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  show(stretches: readonly Stretch[]): void {
    const top = scaleOf(stretches);
    const most = Math.max(1, ...stretches.map(({ count }) => count));
    const middle = SCORES / 2;
    this.#stretches = stretches;
    this.#picture.setAttribute('viewBox', `0 0 ${Math.max(1, stretches.length) * SLOT} ${HEIGHT}`);
    const bars = stretches.flatMap(({ mean, count }, at) => {
      if (mean === null) return [];
      const x = at * SLOT + GAP / 2;
      const tall = Math.max(0.8, (Math.abs(mean) / top) * middle);
      const bar = shape('rect', { x, y: mean >= 0 ? middle - tall : middle, width: SLOT - GAP, height: tall });
      bar.classList.add('plot-score', mean >= 0 ? 'up' : 'down');
      const high = Math.max(1, (count / most) * (HEIGHT - COUNTS_TOP));
      const items = shape('rect', { x, y: HEIGHT - high, width: SLOT - GAP, height: high });
      items.classList.add('plot-count');
      return [bar, items];
    });
    const zero = shape('line', { x1: 0, x2: stretches.length * SLOT, y1: middle, y2: middle });
    zero.classList.add('plot-zero');
    this.#picture.replaceChildren(this.#cursor, zero, ...bars);
    write(this.#top, score(top));
    write(this.#bottom, score(-top));
    this.element.setAttribute('aria-valuemin', '1');
    this.element.setAttribute('aria-valuemax', String(Math.max(1, stretches.length)));
    this.#mark(this.#at === null ? null : Math.min(this.#at, stretches.length - 1));
  }

  #under(x: number): number | null {
    const { left, width } = this.#picture.getBoundingClientRect();
    const at = Math.floor(((x - left) / width) * this.#stretches.length);
    return at < 0 || at >= this.#stretches.length ? null : at;
  }

  #key(event: KeyboardEvent): void {
    const last = this.#stretches.length - 1;
    const at = this.#at ?? last + 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowDown: at - 1, ArrowUp: at + 1, Home: 0, End: last }[
      event.key
    ];
    if (event.key === 'Escape') this.#point(null);
    if (to === undefined || last < 0) return;
    event.preventDefault();
    this.#point(Math.max(0, Math.min(last, to)));
  }

  #point(at: number | null): void {
    if (at === this.#at) return;
    this.#mark(at);
    this.#onPoint(at === null ? null : (this.#stretches[at] ?? null));
  }

  #mark(at: number | null): void {
    this.#at = at;
    const stretch = this.#stretches[at ?? this.#stretches.length - 1];
    this.#cursor.setAttribute('x', String((at ?? 0) * SLOT));
    this.#cursor.classList.toggle('shown', at !== null);
    this.element.setAttribute('aria-valuenow', String((at ?? Math.max(0, this.#stretches.length - 1)) + 1));
    this.element.setAttribute('aria-valuetext', stretch ? this.#say(stretch) : 'Nothing yet');
  }
}

function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
