// Moves rows by drag and drop. The buttons above the list and Alt with the arrow keys do the same.

export type DropSide = 'before' | 'after';

export function makeRowsDraggable(
  list: HTMLElement,
  signal: AbortSignal,
  /** Whether the row can be placed there. */
  mayDrop: (symbol: string, target: string, side: DropSide) => boolean,
  onDrop: (symbol: string, target: string, side: DropSide) => void,
): void {
  let dragged: string | null = null;
  let marked: HTMLElement | null = null;

  const rowAt = (event: Event): HTMLElement | null =>
    event.target instanceof Element ? event.target.closest<HTMLElement>('.row') : null;
  const sideOf = (row: HTMLElement, event: DragEvent): DropSide => {
    const { top, height } = row.getBoundingClientRect();
    return event.clientY < top + height / 2 ? 'before' : 'after';
  };
  const mark = (row: HTMLElement | null, side: DropSide | null): void => {
    if (marked && marked !== row) delete marked.dataset.drop;
    marked = row;
    if (row && side && row.dataset.drop !== side) row.dataset.drop = side;
  };

  list.addEventListener(
    'dragstart',
    (event) => {
      dragged = rowAt(event)?.dataset.symbol ?? null;
      if (dragged === null || !event.dataTransfer) return;
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', dragged);
    },
    { signal },
  );
  list.addEventListener(
    'dragover',
    (event) => {
      const row = rowAt(event);
      const target = row?.dataset.symbol;
      if (!row || dragged === null || target === undefined) return;
      const side = sideOf(row, event);
      const may = mayDrop(dragged, target, side);
      mark(may ? row : null, may ? side : null);
      if (may) event.preventDefault();
    },
    { signal },
  );
  list.addEventListener(
    'drop',
    (event) => {
      const row = rowAt(event);
      const target = row?.dataset.symbol;
      if (!row || dragged === null || target === undefined) return;
      event.preventDefault();
      onDrop(dragged, target, sideOf(row, event));
    },
    { signal },
  );
  const end = (): void => {
    mark(null, null);
    dragged = null;
  };
  list.addEventListener('dragend', end, { signal });
  list.addEventListener('dragleave', (event) => event.target === list && mark(null, null), { signal });
}
