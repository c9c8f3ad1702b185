// The strip below the chart: who is pushing, how hard, and whether somebody stands in the way.
import type { OrderFlowTick } from '@tickwire/client';
import { element, write } from '../elements.ts';
import { NOTHING, signedVolume, signOf } from '../format.ts';
import { Surface } from '../surface.ts';
import { currentPalette, onThemeChange } from '../theme.ts';
import { FlowSeries } from './flow-series.ts';
import { paintFlow } from './paint-flow.ts';

/** An absorption lasts one message on the wire and this long, in seconds, on the screen. */
const ABSORPTION_SECONDS = 10;

export class FlowPanel {
  readonly #cumulative = element('flow-cumulative', HTMLElement);
  readonly #delta = element('flow-delta', HTMLElement);
  readonly #imbalance = element('flow-imbalance', HTMLElement);
  readonly #needle = element('flow-needle', HTMLElement);
  readonly #absorption = element('flow-absorption', HTMLElement);
  readonly #surface: Surface;
  #series = new FlowSeries();
  #absorbedAt = 0;

  constructor(signal: AbortSignal) {
    const canvas = element('flow-chart', HTMLCanvasElement);
    this.#surface = new Surface(canvas, signal, (context, width, height) =>
      paintFlow(context, width, height, this.#series.points, currentPalette()),
    );
    onThemeChange(signal, () => this.#surface.redraw());
  }

  /** Another instrument: nothing of the last one may stay. */
  begin(): void {
    this.#series = new FlowSeries();
    this.#absorbedAt = 0;
    for (const figure of [this.#cumulative, this.#delta, this.#imbalance, this.#absorption]) this.#put(figure, null);
    this.#needle.style.width = '0';
    this.#surface.redraw();
  }

  show(tick: OrderFlowTick): void {
    this.#series.add(tick);
    const { imbalance, absorption } = tick;
    this.#put(this.#cumulative, tick.cumulative_delta);
    this.#put(this.#delta, this.#series.points.at(-1)?.delta ?? 0);
    write(this.#imbalance, imbalance.toFixed(2).replace('-', '−'));
    this.#needle.style.width = `${Math.abs(imbalance) * 50}%`;
    this.#needle.style.left = imbalance < 0 ? `${50 + imbalance * 50}%` : '50%';
    this.#needle.dataset.sign = imbalance < 0 ? 'down' : 'up';
    if (absorption !== null) {
      this.#absorbedAt = tick.time;
      write(this.#absorption, absorption);
      this.#absorption.dataset.sign = absorption === 'buy' ? 'up' : 'down';
    } else if (tick.time - this.#absorbedAt > ABSORPTION_SECONDS) {
      this.#put(this.#absorption, null);
    }
    this.#surface.redraw();
  }

  #put(figure: HTMLElement, value: number | null): void {
    const text = value === null ? NOTHING : signedVolume(value);
    write(figure, text);
    figure.dataset.sign = signOf(text);
  }
}
