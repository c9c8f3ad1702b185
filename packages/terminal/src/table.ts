// A plain table. On a phone each row becomes a card, with the heads of the columns beside its cells.
import { box, make } from './elements.ts';

export interface Column<T> {
  /** '' over buttons: it is only read out. */
  readonly head: string;
  readonly cell: (row: T) => Node | string;
  readonly numeric?: boolean;
}

export function table<T>(caption: string, columns: readonly Column<T>[], rows: readonly T[], empty: string): Node {
  if (rows.length === 0) return make('p', 'empty-note', empty);
  const head = box('tr', '', ...columns.map((column) => headCell(column.head, column.numeric)));
  const lines = rows.map((row) => box('tr', '', ...columns.map((column) => cell(column, row))));
  const made = box('table', 'table', box('thead', '', head), box('tbody', '', ...lines));
  made.setAttribute('aria-label', caption);
  return box('div', 'table-box', made);
}

function headCell(text: string, numeric = false): HTMLElement {
  const shown = text === '' ? make('span', 'unseen', 'Actions') : text;
  const made = box('th', numeric ? 'numeric' : '', shown);
  made.scope = 'col';
  return made;
}

function cell<T>(column: Column<T>, row: T): HTMLElement {
  const made = box('td', column.numeric ? 'numeric' : '', column.cell(row));
  made.dataset.head = column.head;
  return made;
}
