// Keys of the chart: arrows move bar by bar (with Shift, ten bars), plus and minus zoom.

export interface ChartKeys {
  /** Moves by this many bars. */
  readonly step: (by: number) => void;
  readonly toFirst: () => void;
  readonly toLast: () => void;
  /** Gives up the chosen bar; false if there is none. */
  readonly leave: () => boolean;
  readonly zoom: (factor: number) => void;
}

export function listenToChartKeys(target: HTMLElement, signal: AbortSignal, keys: ChartKeys): void {
  const act = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const by = shiftKey ? 10 : 1;
    if (key === 'ArrowLeft') keys.step(-by);
    else if (key === 'ArrowRight') keys.step(by);
    else if (key === 'Home') keys.toFirst();
    else if (key === 'End') keys.toLast();
    else if (key === 'Escape') return keys.leave();
    else if (key === '+' || key === '=') keys.zoom(1.25);
    else if (key === '-') keys.zoom(0.8);
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
  target.addEventListener('blur', () => keys.leave(), { signal });
}
