// Compares the instrument with others. The code behind the button is loaded when it is pressed.
import { makeButton } from '../ui/dom/elements.ts';
import type { ComparedInstruments } from './compared-instruments.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';
import { lazyPanel } from './lazy-panel.ts';

export function newCompare(host: ChartHost): ChartPart {
  let compared: ComparedInstruments | null = null;
  const attributes = { class: 'timeframe chart-choice', title: 'Compare with another instrument' };
  const button = makeButton('Compare', attributes, () => {});
  lazyPanel(button, host, 'dialog', ({ ComparedInstruments }) => {
    if (host.signal.aborted) return;
    compared ??= new ComparedInstruments(host, button);
    compared.openPanel();
  });
  host.addTool(button);
  return {
    open: (market) => compared?.open(market),
    draw: (series, changes) => compared?.draw(series, changes),
    figures: (series, at) => compared?.figures(series, at) ?? [],
    titles: () => compared?.titles() ?? [],
    colors: () => compared?.colors() ?? [],
  };
}
