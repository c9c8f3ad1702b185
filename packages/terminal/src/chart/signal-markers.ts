// Small markers at the price axis, one for each signal that is not drawn in full, or for several at nearly the same price. They
// are buttons above the canvas, so that the keyboard reaches them; the chart tells when they have to move.
import type { ISeriesPrimitive, Time } from 'lightweight-charts';
import { make, makeButton } from '../ui/dom/elements.ts';
import type { ChartSignal } from './bars/bar-marks.ts';
import type { ChartHost } from './frame/chart-part.ts';

export interface SignalMarkerOptions {
  readonly host: ChartHost;
  /** A signal in words. */
  readonly describe: (signal: ChartSignal) => string;
  /** A marker was chosen. Of several signals it is the first, which then is no longer at the marker. */
  readonly onSelect: (signal: ChartSignal) => void;
}

/** Height of a marker, with the space that a finger needs. Pixels. */
const HEIGHT = 24;
const MAX_MARKERS = 30;
/** Signals that a tooltip describes. */
const MAX_DESCRIBED = 4;

/** Signals by height: those closer than a marker are one group. Heights ascend. */
export function groupByHeight<T>(items: readonly { readonly y: number; readonly item: T }[], height: number) {
  const groups: { y: number; readonly items: T[] }[] = [];
  for (const { y, item } of items.toSorted((one, other) => one.y - other.y)) {
    const last = groups.at(-1);
    if (last && y - last.y < height) last.items.push(item);
    else groups.push({ y, items: [item] });
  }
  return groups;
}

interface Marker {
  readonly button: HTMLButtonElement;
  readonly tip: HTMLElement;
  signals: readonly ChartSignal[];
  y: number;
}

export class SignalMarkers implements ISeriesPrimitive<Time> {
  readonly #options: SignalMarkerOptions;
  readonly #element = make('div', { class: 'signal-markers', role: 'group', 'aria-label': 'Signals of others' });
  #signals: readonly ChartSignal[] = [];
  #markers: Marker[] = [];
  #right = -1;

  constructor(options: SignalMarkerOptions) {
    this.#options = options;
    const { host } = options;
    host.stage.append(this.#element);
    host.prices.attachPrimitive(this);
  }

  show(signals: readonly ChartSignal[]): void {
    this.#signals = signals.slice(0, MAX_MARKERS);
    this.#place();
  }

  /** Called by the library before every drawing. */
  updateAllViews(): void {
    if (this.#signals.length > 0) this.#place();
  }

  #place(): void {
    const { host } = this.#options;
    const pane = host.chart.panes()[0]?.getHeight() ?? 0;
    const visible = this.#signals.flatMap((item) => {
      const y = host.yOf(item.entry);
      return y === null || y < HEIGHT / 2 || y > pane - HEIGHT / 2 ? [] : [{ y: Math.round(y), item }];
    });
    const groups = groupByHeight(visible, HEIGHT);
    while (this.#markers.length > groups.length) this.#remove(this.#markers.pop()!);
    for (const [at, { y, items }] of groups.entries()) {
      const marker = this.#markers[at] ?? this.#add();
      this.#fill(marker, items);
      if (marker.y === y) continue;
      marker.y = y;
      marker.button.style.top = marker.tip.style.top = `${y - HEIGHT / 2}px`;
    }
    const right = groups.length === 0 ? this.#right : host.chart.priceScale('right').width();
    if (right === this.#right) return;
    this.#right = right;
    this.#element.style.right = `${right}px`;
  }

  #add(): Marker {
    const tip = make('p', { class: 'signal-tip small', role: 'tooltip' });
    const button = makeButton('', 'signal-marker bare', () => this.#select(marker));
    const marker: Marker = { button, tip, signals: [], y: Number.NaN };
    this.#markers.push(marker);
    this.#element.append(button, tip);
    return marker;
  }

  #remove({ button, tip }: Marker): void {
    button.remove();
    tip.remove();
  }

  #fill(marker: Marker, signals: readonly ChartSignal[]): void {
    if (signals.length === marker.signals.length && signals.every((each, at) => each === marker.signals[at])) return;
    marker.signals = signals;
    const { button, tip } = marker;
    const described = signals.slice(0, MAX_DESCRIBED).map((each) => this.#options.describe(each));
    const more = signals.length > MAX_DESCRIBED ? [`and ${signals.length - MAX_DESCRIBED} more`] : [];
    button.setAttribute('aria-label', [...described, ...more].join('; '));
    const directions = new Set(signals.map(({ direction }) => direction));
    button.dataset.direction = directions.size > 1 ? 'both' : signals[0]!.direction;
    button.dataset.several = String(signals.length > 1);
    tip.replaceChildren(...[...described, ...more].map((line) => make('span', {}, line)));
  }

  #select({ signals }: Marker): void {
    const [first] = signals;
    if (first) this.#options.onSelect(first);
  }
}
