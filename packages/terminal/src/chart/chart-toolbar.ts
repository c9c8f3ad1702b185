// The toolbar above the chart: timeframe and indicators.
import type { Timeframe } from '@tickwire/client';
import { TIMEFRAMES } from '../services/candle.ts';
import { box, button } from '../ui/dom/elements.ts';
import { type ChartChoices, readChoices, storeChoices } from './chart-choices.ts';
import { AVERAGES } from './price-plot.ts';

export interface ChartToolbarEvents {
  readonly onTimeframe: (timeframe: Timeframe) => void;
  readonly onChoices: (choices: ChartChoices) => void;
}

const group = (label: string, className: string, buttons: readonly HTMLButtonElement[]): HTMLElement => {
  const made = box('div', className, ...buttons);
  made.setAttribute('role', 'group');
  made.setAttribute('aria-label', label);
  return made;
};
const press = (target: HTMLButtonElement, pressed: boolean): void =>
  target.setAttribute('aria-pressed', String(pressed));

export class ChartToolbar {
  readonly element: HTMLElement;
  readonly #timeframes: ReadonlyMap<Timeframe, HTMLButtonElement>;
  readonly #onChoices: ChartToolbarEvents['onChoices'];
  #choices = readChoices(localStorage);

  constructor({ onTimeframe, onChoices }: ChartToolbarEvents) {
    this.#onChoices = onChoices;
    this.#timeframes = new Map(TIMEFRAMES.map((each) => [each, button(each, 'chart-choice', () => onTimeframe(each))]));
    const toggles = AVERAGES.map((length) => {
      const toggle = button(`MA ${length}`, 'chart-choice', () => {
        const { averages } = this.#choices;
        const shown = averages.includes(length);
        press(toggle, !shown);
        this.#choose({ averages: shown ? averages.filter((each) => each !== length) : [...averages, length] });
      });
      toggle.title = `Average close of the last ${length} bars`;
      toggle.dataset.average = String(length);
      press(toggle, this.#choices.averages.includes(length));
      return toggle;
    });
    const flow = button('Delta', 'chart-choice', () => {
      press(flow, !this.#choices.flow);
      this.#choose({ flow: !this.#choices.flow });
    });
    flow.title = 'Buy volume minus sell volume, below the candles';
    press(flow, this.#choices.flow);
    this.element = box(
      'div',
      'chart-bar',
      group('Timeframe', 'chart-choices', [...this.#timeframes.values()]),
      group('Indicators', 'chart-choices', [...toggles, flow]),
    );
  }

  get choices(): ChartChoices {
    return this.#choices;
  }

  show(timeframe: Timeframe): void {
    for (const [each, target] of this.#timeframes) press(target, each === timeframe);
  }

  #choose(change: Partial<ChartChoices>): void {
    this.#choices = { ...this.#choices, ...change };
    storeChoices(localStorage, this.#choices);
    this.#onChoices(this.#choices);
  }
}
