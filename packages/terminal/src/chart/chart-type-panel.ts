// The panel of the chart type, and the switch of the trading sessions behind the prices.
import { make, makeButton } from '../ui/dom/elements.ts';
import { togglePopover } from '../ui/dom/popover.ts';
import { type Option, optionList } from './frame/chart-buttons.ts';
import type { ChartType } from './frame/chart-choices.ts';

const TYPES: readonly Option<ChartType>[] = [
  { value: 'candles', text: 'Candles' },
  { value: 'hollow', text: 'Hollow candles' },
  { value: 'bars', text: 'Bars' },
  { value: 'line', text: 'Line' },
  { value: 'area', text: 'Area' },
  { value: 'heikin-ashi', text: 'Heikin Ashi' },
];

export interface ChartTypeControl {
  readonly type: ChartType;
  readonly sessions: boolean;
  choose(type: ChartType): void;
  showSessions(areShown: boolean): void;
}

export function openTypePanel(button: HTMLElement, control: ChartTypeControl): void {
  const content = (close: () => void): Node => {
    const { type, sessions } = control;
    const attributes = { class: 'chart-option', role: 'menuitemcheckbox', 'aria-checked': String(sessions) };
    return make(
      'div',
      'popover-stack',
      optionList('Chart type', TYPES, type, (chosen) => {
        close();
        control.choose(chosen);
      }),
      makeButton('Trading sessions', attributes, () => {
        close();
        control.showSessions(!sessions);
      }),
    );
  };
  togglePopover(button, content, { label: 'Chart type', role: 'menu' });
}
