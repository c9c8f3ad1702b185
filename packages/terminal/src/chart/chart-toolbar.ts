// The toolbar above the chart: timeframe and indicators.
import type { Timeframe } from '@tickwire/client';
import { TIMEFRAMES } from '../services/candle.ts';
import { make, makeButton } from '../ui/dom/elements.ts';
import { type ChartChoices, readChoices, storeChoices } from './chart-choices.ts';
import { AVERAGES } from './price-plot.ts';

export interface ChartToolbarEvents {
  readonly onTimeframe: (timeframe: Timeframe) => void;
  readonly onChoices: (choices: ChartChoices) => void;
}

const CHOICE = 'timeframe chart-choice';

const group = (label: string, buttons: Iterable<HTMLButtonElement>): HTMLElement =>
  make('div', { class: 'timeframes', role: 'group', 'aria-label': label }, ...buttons);
const press = (target: HTMLButtonElement, pressed: boolean): void =>
  target.setAttribute('aria-pressed', String(pressed));

export class ChartToolbar {
  readonly element: HTMLElement;
  readonly #timeframes: ReadonlyMap<Timeframe, HTMLButtonElement>;
  readonly #onChoices: ChartToolbarEvents['onChoices'];
  #choices = readChoices(localStorage);

  constructor({ onTimeframe, onChoices }: ChartToolbarEvents) {
    this.#onChoices = onChoices;
    this.#timeframes = new Map(TIMEFRAMES.map((each) => [each, makeButton(each, CHOICE, () => onTimeframe(each))]));
    const toggles = AVERAGES.map((length) => {
      const title = `Average close of the last ${length} bars`;
      const toggle = makeButton(`MA ${length}`, { class: CHOICE, title, 'data-average': length }, () => {
        const { averages } = this.#choices;
        const shown = averages.includes(length);
        press(toggle, !shown);
        this.#choose({ averages: shown ? averages.filter((each) => each !== length) : [...averages, length] });
      });
      press(toggle, this.#choices.averages.includes(length));
      return toggle;
    });
    const title = 'Buy volume minus sell volume, below the candles';
    const flow = makeButton('Delta', { class: CHOICE, title }, () => {
      press(flow, !this.#choices.flow);
      this.#choose({ flow: !this.#choices.flow });
    });
    press(flow, this.#choices.flow);
    const timeframes = group('Timeframe', this.#timeframes.values());
    this.element = make('div', 'chart-bar', timeframes, group('Indicators', [...toggles, flow]));
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
