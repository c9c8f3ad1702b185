// The column headers. Buttons sort: ascending, descending, own order.
import { make, makeButton } from '../ui/dom/elements.ts';
import type { Sort, SortColumn } from './arrangement.ts';

interface Column {
  readonly title: string;
  readonly className: string;
  readonly sorts?: SortColumn;
  readonly hint?: string;
}

const COLUMNS: readonly Column[] = [
  { title: 'Instrument', className: 'label', sorts: 'name' },
  { title: 'Trend', className: 'trend', hint: 'Last 24 hours' },
  { title: 'Bid', className: 'number', sorts: 'bid' },
  { title: 'Ask', className: 'number' },
  { title: 'Spr', className: 'number spread', sorts: 'spread', hint: 'Spread in pips' },
  { title: 'Day', className: 'number change', sorts: 'change', hint: 'Change since 00:00 UTC' },
];

export class WatchHead {
  readonly element = make('div', { class: 'columns', role: 'row', 'aria-label': 'Columns' });
  readonly #heads = new Map<SortColumn, HTMLElement>();

  constructor(onSort: (column: SortColumn) => void) {
    for (const { title, className, sorts, hint } of COLUMNS) {
      const head = make(
        'div',
        { class: className, role: 'columnheader', ...(hint !== undefined && { title: hint }) },
        sorts ? makeButton(title, 'sort', () => onSort(sorts)) : title,
      );
      if (sorts) this.#heads.set(sorts, head);
      this.element.append(head);
    }
  }

  show(sort: Sort | null): void {
    for (const [column, head] of this.#heads)
      head.setAttribute('aria-sort', sort?.column === column ? sort.direction : 'none');
  }
}
