// The column headers. Buttons sort: ascending, descending, own order.
import { box, make } from '../ui/dom/elements.ts';
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
  readonly element = make('div', 'columns');
  readonly #heads = new Map<SortColumn, HTMLElement>();

  constructor(onSort: (column: SortColumn) => void) {
    this.element.setAttribute('role', 'row');
    for (const { title, className, sorts, hint } of COLUMNS) {
      const head = make('div', className);
      head.setAttribute('role', 'columnheader');
      if (hint) head.title = hint;
      if (sorts) {
        const press = box('button', 'sort', title);
        press.type = 'button';
        press.addEventListener('click', () => onSort(sorts));
        head.append(press);
        this.#heads.set(sorts, head);
      } else head.textContent = title;
      this.element.append(head);
    }
    this.element.ariaLabel = 'Columns';
  }

  show(sort: Sort | null): void {
    for (const [column, head] of this.#heads)
      head.setAttribute('aria-sort', sort?.column === column ? sort.direction : 'none');
  }
}
