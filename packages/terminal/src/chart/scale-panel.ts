// The panel of the price scale: its kind, and what it fits itself to.
import { make, makeButton } from '../ui/dom/elements.ts';
import { togglePopover } from '../ui/dom/popover.ts';
import { type Option, optionList } from './frame/chart-buttons.ts';
import { changeChoices, type Scale } from './frame/chart-choices.ts';
import type { ChartHost } from './frame/chart-part.ts';

const SCALES: readonly Option<Scale>[] = [
  { value: 'linear', text: 'Linear' },
  { value: 'logarithmic', text: 'Logarithmic' },
  { value: 'percent', text: 'Percent' },
];

/** The kind of the scale, and a way to change and store it. */
export interface ScaleControl {
  readonly scale: Scale;
  choose(scale: Scale): void;
}

type ScaleHost = Pick<ChartHost, 'fit' | 'prices' | 'undo'>;

export function openScalePanel(button: HTMLElement, host: ScaleHost, control: ScaleControl): void {
  togglePopover(button, (close) => panel(host, control, close), { label: 'Scale', role: 'menu' });
}

function panel({ fit, prices, undo }: ScaleHost, control: ScaleControl, close: () => void): Node {
  const before = control.scale;
  const list = optionList('Scale', SCALES, before, (scale) => {
    close();
    if (scale !== before) undo.run({ redo: () => control.choose(scale), undo: () => control.choose(before) });
  });
  const { autoScale } = prices.priceScale().options();
  const option = (text: string, isOn: boolean, act: () => void): HTMLElement =>
    makeButton(text, { class: 'chart-option', role: 'menuitemcheckbox', 'aria-checked': String(isOn) }, () => {
      close();
      act();
    });
  return make(
    'div',
    'popover-stack',
    list,
    option('Auto: fit to the visible bars', autoScale, () =>
      prices.priceScale().applyOptions({ autoScale: !autoScale }),
    ),
    option('Fit to indicators, too', fit.overlays, () => {
      fit.overlays = !fit.overlays;
      changeChoices({ fitOverlays: fit.overlays });
      // The library calculates the scale again, also if it was automatic before.
      prices.priceScale().applyOptions({ autoScale: true });
    }),
  );
}
