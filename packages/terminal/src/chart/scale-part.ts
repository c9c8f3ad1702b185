// The price scale: linear, logarithmic or in percent of the first visible bar. Its panel is loaded when it is opened.
import { PriceScaleMode } from 'lightweight-charts';
import { makeButton, write } from '../ui/dom/elements.ts';
import { changeChoices, readChoices, SCALES, type Scale } from './frame/chart-choices.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';
import { lazyPanel } from './lazy-panel.ts';

const MODES: Readonly<Record<Scale, PriceScaleMode>> = {
  linear: PriceScaleMode.Normal,
  logarithmic: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
};
const SHORT: Readonly<Record<Scale, string>> = { linear: 'Lin', logarithmic: 'Log', percent: '%' };

export class ScalePart implements ChartPart {
  readonly #host: ChartHost;
  readonly #button: HTMLButtonElement;

  constructor(host: ChartHost) {
    this.#host = host;
    this.#button = makeButton('', 'timeframe chart-choice', () => {});
    lazyPanel(this.#button, host, 'menu', ({ openScalePanel }) => openScalePanel(this.#button, host, this));
    host.addTool(this.#button, 'menu');
    this.#set(readChoices(localStorage).scale);
  }

  /** Another part has changed the mode, for example to compare instruments. */
  draw(): void {
    this.#name();
  }

  get scale(): Scale {
    const { mode } = this.#host.prices.priceScale().options();
    return SCALES.find((each) => MODES[each] === mode) ?? 'linear';
  }

  #set(scale: Scale): void {
    this.#host.prices.priceScale().applyOptions({ mode: MODES[scale] });
    this.#name();
  }

  #name(): void {
    write(this.#button, `Scale: ${SHORT[this.scale]}`);
  }

  choose(scale: Scale): void {
    changeChoices({ scale });
    this.#set(scale);
  }
}
