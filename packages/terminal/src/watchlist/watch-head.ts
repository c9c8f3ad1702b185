// The column headers. Buttons sort: ascending, descending, own order.
import { make, makeButton } from '../ui/dom/elements.ts';
import type { Column, Sort, SortColumn } from './arrangement.ts';

interface Head {
  readonly column: Column | 'name';
  readonly title: string;
  readonly className: string;
  readonly sorts?: SortColumn;
  readonly hint?: string;
}

const HEADS: readonly Head[] = [
  { column: 'name', title: 'Instrument', className: 'label', sorts: 'name' },
  { column: 'trend', title: 'Trend', className: 'trend', hint: 'Last 24 hours' },
  { column: 'bid', title: 'Bid', className: 'number', sorts: 'bid' },
  { column: 'ask', title: 'Ask', className: 'number ask', sorts: 'ask' },
  {
    column: 'spread',
    title: 'Spr',
    className: 'number spread',
    sorts: 'spread',
    hint: 'Spread in pips, or in points for indices, crypto, energy and shares',
  },
  { column: 'change', title: 'Day', className: 'number change', sorts: 'change', hint: 'Change since 00:00 UTC' },
  { column: 'high', title: 'High', className: 'number', sorts: 'high', hint: 'Highest since 00:00 UTC' },
  { column: 'low', title: 'Low', className: 'number', sorts: 'low', hint: 'Lowest since 00:00 UTC' },
];

/** Titles of the columns for the choice of columns. */
export const COLUMN_TITLES: Readonly<Record<Column, string>> = {
  trend: 'Trend',
  bid: 'Bid',
  ask: 'Ask',
  spread: 'Spread',
  change: 'Day change',
  high: 'Day high',
  low: 'Day low',
};

export class WatchHead {
  readonly element = make('div', { class: 'columns', role: 'row', 'aria-label': 'Columns' });
  readonly #heads = new Map<SortColumn, HTMLElement>();
  readonly #columns = new Map<Column | 'name', HTMLElement>();

  constructor(onSort: (column: SortColumn) => void) {
    for (const { column, title, className, sorts, hint } of HEADS) {
      const head = make(
        'div',
        { class: className, role: 'columnheader', ...(hint !== undefined && { title: hint }) },
        sorts ? makeButton(title, 'sort', () => onSort(sorts)) : title,
      );
      if (sorts) this.#heads.set(sorts, head);
      this.#columns.set(column, head);
      this.element.append(head);
    }
    this.element.append(make('div', { class: 'star-cell', role: 'columnheader' }, make('span', 'unseen', 'Favourite')));
  }

  show(sort: Sort | null): void {
    for (const [column, head] of this.#heads)
      head.setAttribute('aria-sort', sort?.column === column ? sort.direction : 'none');
  }

  setColumns(columns: readonly Column[]): void {
    for (const [column, head] of this.#columns) head.hidden = column !== 'name' && !columns.includes(column);
  }
}
