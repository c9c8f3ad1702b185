// The price scale: linear, logarithmic or in percent of the first visible bar, and whether it fits itself to the visible bars.
import { PriceScaleMode } from 'lightweight-charts';
import { make, makeButton } from '../ui/dom/elements.ts';
import { type Option, opensPanel, optionList } from './frame/chart-buttons.ts';
import { changeChoices, readChoices, type Scale } from './frame/chart-choices.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';

const SCALES: readonly Option<Scale>[] = [
  { value: 'linear', text: 'Linear' },
  { value: 'logarithmic', text: 'Logarithmic' },
  { value: 'percent', text: 'Percent' },
];
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
    this.#button = makeButton('', { class: 'timeframe chart-choice', title: 'Price scale' }, () => {});
    opensPanel(this.#button, { label: 'Scale', role: 'menu' }, (close) => this.#panel(close));
    host.addViewTool(this.#button);
    this.#set(readChoices(localStorage).scale);
  }

  /** Another part has changed the mode, for example to compare instruments. */
  draw(): void {
    const text = SHORT[this.#scale];
    if (this.#button.textContent !== text) this.#name();
  }

  get #scale(): Scale {
    const { mode } = this.#host.prices.priceScale().options();
    return SCALES.find(({ value }) => MODES[value] === mode)?.value ?? 'linear';
  }

  #set(scale: Scale): void {
    this.#host.prices.priceScale().applyOptions({ mode: MODES[scale] });
    this.#name();
  }

  #name(): void {
    const text = SHORT[this.#scale];
    this.#button.textContent = text;
    this.#button.setAttribute('aria-label', `Scale: ${text}`);
  }

  #choose(scale: Scale): void {
    changeChoices({ scale });
    this.#set(scale);
  }

  #panel(close: () => void): Node {
    const { undo, prices } = this.#host;
    const before = this.#scale;
    const list = optionList('Scale', SCALES, before, (scale) => {
      close();
      if (scale !== before) undo.run({ redo: () => this.#choose(scale), undo: () => this.#choose(before) });
    });
    const { autoScale } = prices.priceScale().options();
    const attributes = { class: 'chart-option', role: 'menuitemcheckbox', 'aria-checked': String(autoScale) };
    const auto = makeButton('Auto: fit to the visible bars', attributes, () => {
      close();
      prices.priceScale().applyOptions({ autoScale: !autoScale });
    });
    return make('div', 'popover-stack', list, auto);
  }
}
