// Keys of the chart: arrows move bar by bar (with Shift, ten bars), plus and minus zoom, `a` opens the menu, for example to set an alert.
import type { BarReader } from './frame/bar-reader.ts';
import type { PricePlot } from './price-plot.ts';

export interface ChartKeys {
  readonly reader: BarReader;
  readonly plot: PricePlot;
  /** A chart may have no menu. */
  readonly openMenu?: () => void;
}

export function listenToChartKeys(target: HTMLElement, signal: AbortSignal, keys: ChartKeys): void {
  const { reader, plot, openMenu } = keys;
  const act = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const by = shiftKey ? 10 : 1;
    if (key === 'ArrowLeft') reader.step(-by);
    else if (key === 'ArrowRight') reader.step(by);
    else if (key === 'Home') reader.toFirst();
    else if (key === 'End') reader.toLast();
    else if (key === 'Escape') return reader.leave();
    else if (key === '+' || key === '=') plot.view.zoom(1.25);
    else if (key === '-') plot.view.zoom(0.8);
    else if (key === 'a' && openMenu) openMenu();
    else return false;
    return true;
  };
  target.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !act(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal },
  );
  target.addEventListener('blur', () => reader.leave(), { signal });
}
