// Explains in words what is under the pointer, in a box above the chart. Screen readers get the same from the legend.
import type { Coordinate } from 'lightweight-charts';
import { make, write } from '../../ui/dom/elements.ts';
import type { ChartHost } from '../frame/chart-part.ts';

const GAP = 14;

export class FlowTip {
  readonly #element = make('p', { class: 'flow-tip', 'aria-hidden': 'true' });
  readonly #stage: HTMLElement;

  /** `textAt`: for the index of a bar and pixels from the top of the pane of the prices; '' for nothing. */
  constructor({ chart, stage, surface }: ChartHost, textAt: (at: number, y: Coordinate) => string) {
    this.#stage = stage;
    this.hide();
    stage.append(this.#element);
    chart.subscribeCrosshairMove(({ logical, point, paneIndex }) => {
      // The crosshair may also follow the keyboard or another chart.
      const pointed = point && logical !== undefined && (paneIndex ?? 0) === 0 && surface.matches(':hover');
      const text = pointed ? textAt(Number(logical), point.y) : '';
      if (text === '' || !point) this.hide();
      else this.#show(text, point.x, point.y);
    });
  }

  hide(): void {
    this.#element.hidden = true;
  }

  #show(text: string, x: number, y: number): void {
    write(this.#element, text);
    this.#element.hidden = false;
    const { clientWidth, clientHeight } = this.#stage;
    const { offsetWidth, offsetHeight } = this.#element;
    const left = x + GAP + offsetWidth > clientWidth ? x - GAP - offsetWidth : x + GAP;
    this.#element.style.left = `${Math.max(0, left)}px`;
    this.#element.style.top = `${Math.max(0, Math.min(y + GAP, clientHeight - offsetHeight))}px`;
  }
}
