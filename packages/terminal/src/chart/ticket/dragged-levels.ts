// Lines of a ticket on the chart that can be dragged: to other prices, or to other values in the pane of an indicator.
import type { ValuePane } from '../frame/alert-on-chart.ts';
import type { ChartHost, ChartPoint } from '../frame/chart-part.ts';
import { listenToMoves } from '../frame/pointer-moves.ts';
import { type Level, LevelLines } from '../layers/level-lines.ts';

/** What a drag does. */
export interface Grabbed {
  readonly to: (level: number) => void;
  /** It is as before. */
  readonly cancel: () => void;
}

export class DraggedLevels<Id> {
  readonly #host: ChartHost;
  readonly #values: ValuePane | null;
  readonly #lines: LevelLines<Id>;
  readonly #grab: (id: Id) => Grabbed;
  readonly #end = new AbortController();
  #grabbed: Grabbed | null = null;

  /** `values`: the pane in which the levels are; by default that of the prices. */
  constructor(host: ChartHost, grab: (id: Id) => Grabbed, values: ValuePane | null = null) {
    const { surface } = host;
    const { signal } = this.#end;
    this.#host = host;
    this.#grab = grab;
    this.#values = values;
    this.#lines = new LevelLines(values?.series ?? host.prices, 2);
    listenToMoves(surface, signal, {
      move: ({ x, y }, over) => this.#move(x, y, over),
      release: (keep) => {
        if (!keep) this.cancel();
        this.#grabbed = null;
      },
    });
    if (!values) return;
    // The chart asks its parts only about presses on the prices.
    const early = { signal, capture: true, passive: false } as const;
    surface.addEventListener('mousedown', (event) => event.button === 0 && this.#pressValue(event, event), early);
    surface.addEventListener('touchstart', (event) => this.#pressValue(event, event.touches[0]), early);
  }

  /** Of several at the same height, the last one is taken. */
  show(levels: readonly Level<Id>[]): void {
    if (this.#isShown) this.#lines.show(levels);
  }

  /** On the prices. */
  press({ x, y }: ChartPoint, event: MouseEvent | TouchEvent): boolean {
    return this.#values === null && this.#take(x, y, 'touches' in event);
  }

  /** Ends a drag; false if there is none. */
  cancel(): boolean {
    const grabbed = this.#grabbed;
    this.#grabbed = null;
    grabbed?.cancel();
    return grabbed !== null;
  }

  close(): void {
    this.#end.abort();
    // The lines of a chart that is closed are gone with it.
    if (!this.#host.signal.aborted) this.show([]);
    this.#host.surface.dataset.ticket = '';
  }

  get #isShown(): boolean {
    return this.#values?.isShown() ?? true;
  }

  #take(x: number, y: number, byFinger: boolean): boolean {
    const isOnScale = x > this.#host.chart.timeScale().width();
    const id = isOnScale || !this.#isShown ? null : this.#lines.at(y, byFinger);
    this.#grabbed = id === null ? null : this.#grab(id);
    return this.#grabbed !== null;
  }

  #pressValue(event: MouseEvent | TouchEvent, at: MouseEvent | Touch | undefined): void {
    if (!at) return;
    const { left, top } = this.#host.surface.getBoundingClientRect();
    if (!this.#take(at.clientX - left, this.#inPane(at.clientY - top), 'touches' in event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** From the top of the surface to that of the pane. */
  #inPane(y: number): number {
    const top = this.#values?.pane.getHTMLElement()?.getBoundingClientRect().top;
    return top === undefined ? y : y - (top - this.#host.surface.getBoundingClientRect().top);
  }

  #levelAt(x: number, y: number): number | null {
    if (!this.#values) return this.#host.pointAt(x, y)?.price ?? null;
    const value = this.#isShown ? this.#values.series.coordinateToPrice(this.#inPane(y)) : null;
    return value === null ? null : this.#values.round(value);
  }

  #move(x: number, y: number, over: EventTarget | null): void {
    const { surface } = this.#host;
    if (!this.#grabbed) {
      const isOver = over instanceof Node && surface.contains(over) && this.#isShown;
      surface.dataset.ticket = isOver && this.#lines.at(this.#inPane(y)) !== null ? 'line' : '';
      return;
    }
    const level = this.#levelAt(x, y);
    if (level !== null && (this.#values || level > 0)) this.#grabbed.to(level);
  }
}
