// The buttons that choose the length of a bar; the choice is kept with the tab.
import type { Timeframe } from '@tickwire/client';
import { element, make } from '../elements.ts';
import { TIMEFRAME_MS } from './bar-series.ts';

const NAME = 'tickwire.timeframe';
const TIMEFRAMES = Object.keys(TIMEFRAME_MS) as Timeframe[];

export class Timeframes {
  #chosen: Timeframe;

  constructor(onChoose: (timeframe: Timeframe) => void) {
    const kept = sessionStorage.getItem(NAME);
    this.#chosen = TIMEFRAMES.find((timeframe) => timeframe === kept) ?? '5m';
    const buttons = TIMEFRAMES.map((timeframe) => {
      const button = make('button', 'timeframe', timeframe);
      button.type = 'button';
      button.setAttribute('aria-pressed', String(timeframe === this.#chosen));
      button.addEventListener('click', () => {
        if (timeframe === this.#chosen) return;
        this.#chosen = timeframe;
        sessionStorage.setItem(NAME, timeframe);
        for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
        onChoose(timeframe);
      });
      return button;
    });
    element('timeframes', HTMLElement).replaceChildren(...buttons);
  }

  get chosen(): Timeframe {
    return this.#chosen;
  }
}
