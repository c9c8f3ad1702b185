// Keys of the chart: arrows move bar by bar (with Shift, ten bars), plus and minus zoom.
import type { BarReader } from './bar-reader.ts';
import type { PricePlot } from './price-plot.ts';

export function listenToChartKeys(target: HTMLElement, signal: AbortSignal, reader: BarReader, plot: PricePlot): void {
  const act = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const by = shiftKey ? 10 : 1;
    if (key === 'ArrowLeft') reader.step(-by);
    else if (key === 'ArrowRight') reader.step(by);
    else if (key === 'Home') reader.toFirst();
    else if (key === 'End') reader.toLast();
    else if (key === 'Escape') return reader.leave();
    else if (key === '+' || key === '=') plot.zoom(1.25);
    else if (key === '-') plot.zoom(0.8);
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
