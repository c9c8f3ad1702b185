// The chart by keyboard: arrows read bar by bar (with shift, ten), plus and minus zoom.

export interface ChartKeys {
  /** Moves to another bar, by so many. */
  readonly step: (by: number) => void;
  readonly toFirst: () => void;
  readonly toLast: () => void;
  /** Lets go of the bar; false where there was none. */
  readonly leave: () => boolean;
  readonly zoom: (factor: number) => void;
}

export function listenForKeys(target: HTMLElement, signal: AbortSignal, keys: ChartKeys): void {
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
      // Elsewhere the same keys have other meanings.
      event.stopPropagation();
    },
    { signal },
  );
  target.addEventListener('blur', () => keys.leave(), { signal });
}
