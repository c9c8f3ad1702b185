// All publishers in a table that is sorted by any column. As it comes: ranked ones first, then those with too few signals.
import type { TrackRecord } from '@tickwire/client';
import { pathOf } from '../address.ts';
import { box, button, link, make } from '../elements.ts';
import { setNumber, signOf } from '../format.ts';
import { momentElement } from '../moments.ts';
import { Part } from '../settings/part.ts';
import { inR } from '../signals/words.ts';
import type { Workspace } from '../workspace.ts';
import { asPercent, holding, meanR, winRate } from './figures.ts';

interface RankColumn {
  readonly head: string;
  readonly title: string;
  readonly cell: (record: TrackRecord) => Node | string;
  /** null goes last, either way. */
  readonly value: (record: TrackRecord) => number | string | null;
  readonly numeric?: boolean;
}

const signedCell = (text: string): HTMLElement => {
  const made = make('span', '', text);
  made.dataset.sign = signOf(text);
  return made;
};

const COLUMNS: readonly RankColumn[] = [
  {
    head: 'Publisher',
    title: 'Name',
    cell: ({ name }) => link(name, pathOf('publishers', name), 'publisher-name'),
    value: ({ name }) => name.toLowerCase(),
  },
  {
    head: 'Rank',
    title: 'Only records that are more than luck, with 95 % confidence, have one',
    cell: ({ rank }) => (rank === null ? make('span', 'hint', 'not ranked') : String(rank)),
    value: ({ rank }) => rank,
    numeric: true,
  },
  {
    head: 'Total',
    title: 'R of all ranked signals',
    cell: ({ total_r }) => signedCell(inR(total_r)),
    value: ({ total_r }) => total_r,
    numeric: true,
  },
  {
    head: 'Per signal',
    title: 'Mean R with its 95 % margin',
    cell: (record) => meanR(record),
    value: ({ average_r }) => average_r,
    numeric: true,
  },
  {
    head: 'Win rate',
    title: 'With its 95 % interval',
    cell: (record) => winRate(record),
    value: ({ win_rate }) => win_rate,
    numeric: true,
  },
  {
    head: 'Not luck',
    title: 'Probability that the true Sharpe ratio is above 0',
    cell: ({ probabilistic_sharpe }) => asPercent(probabilistic_sharpe),
    value: ({ probabilistic_sharpe }) => probabilistic_sharpe,
    numeric: true,
  },
  {
    head: 'Drawdown',
    title: 'Deepest fall in R',
    cell: ({ max_drawdown_r }) => `${setNumber(max_drawdown_r.toFixed(2))} R`,
    value: ({ max_drawdown_r }) => max_drawdown_r,
    numeric: true,
  },
  {
    head: 'Held',
    title: 'From fill to closing, on average',
    cell: ({ average_holding_seconds }) => holding(average_holding_seconds),
    value: ({ average_holding_seconds }) => average_holding_seconds,
    numeric: true,
  },
  {
    head: 'Signals',
    title: 'Published, of which ranked',
    cell: ({ signals, ranked_signals }) => `${signals} (${ranked_signals})`,
    value: ({ signals }) => signals,
    numeric: true,
  },
  {
    head: 'Last',
    title: 'Last publication',
    cell: ({ last_at }) => momentElement(last_at),
    value: ({ last_at }) => last_at,
  },
];

/** The greatest first, but for names and ranks. */
const beginsDown = (column: RankColumn | undefined): boolean => column?.numeric === true && column.head !== 'Rank';

const MOST = 200;

export type Order = { readonly column: number; readonly down: boolean } | null;

/** null leaves the order of the service. What has no value stays last. */
export function ordered(records: readonly TrackRecord[], order: Order): readonly TrackRecord[] {
  const column = order === null ? undefined : COLUMNS[order.column];
  if (!order || !column) return records;
  return [...records].sort((one, other) => {
    const [a, b] = [column.value(one), column.value(other)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    const first = a < b ? -1 : a > b ? 1 : 0;
    return order.down ? -first : first;
  });
}

export class Ranking {
  readonly element = make('section', 'signals-page publishers');
  readonly #end = new AbortController();
  #records: readonly TrackRecord[] = [];
  #order: Order = null;

  constructor(workspace: Workspace) {
    const table = make('div', 'table-box');
    const part = new Part(
      async () => {
        const { items } = await workspace.client.publishers({ limit: MOST }, { signal: this.#end.signal });
        this.#records = items;
        if (items.length === 0) return [make('p', 'empty-note', 'Nobody has published a signal here yet.')];
        this.#show(table);
        const sorting = this.#sortBy(table);
        const cut = items.length === MOST ? [make('p', 'hint', `The first ${MOST} are shown.`)] : [];
        return [sorting, table, ...cut];
      },
      (error) => workspace.failed(error, 'Publishers'),
    );
    const hint =
      'Every signal counts, losers too; nothing can be left out. A rank is given only where the record is more than luck, with 95 % confidence.';
    this.element.append(
      box(
        'div',
        'signal-body',
        link('← All signals', '/signals', 'back'),
        box('header', '', make('h1', '', 'Publishers'), make('p', 'hint', hint)),
        box('section', 'signal-panel', part.element),
      ),
    );
  }

  close(): void {
    this.#end.abort();
  }

  /** On a phone the heads of the table are not there. */
  #sortBy(host: HTMLElement): HTMLElement {
    const choice = make('select', 'pick');
    choice.add(new Option('the ranking', ''));
    for (const [at, { head }] of COLUMNS.entries()) choice.add(new Option(head, String(at)));
    choice.addEventListener('change', () => {
      const column = COLUMNS[Number(choice.value)];
      this.#order = choice.value === '' ? null : { column: Number(choice.value), down: beginsDown(column) };
      this.#show(host);
    });
    return box('label', 'sort-by', 'Sort by', choice);
  }

  #show(host: HTMLElement): void {
    const heads = COLUMNS.map(({ head, title, numeric }, at) => {
      const sort = button(head, 'sort', () => {
        const down = this.#order?.column === at ? !this.#order.down : beginsDown(COLUMNS[at]);
        this.#order = { column: at, down };
        this.#show(host);
        host.querySelectorAll<HTMLElement>('.sort')[at]?.focus();
      });
      const made = box('th', numeric ? 'numeric' : '', sort);
      made.scope = 'col';
      sort.title = title;
      if (this.#order?.column === at) {
        made.setAttribute('aria-sort', this.#order.down ? 'descending' : 'ascending');
        sort.append(this.#order.down ? ' ▾' : ' ▴');
      }
      return made;
    });
    const lines = ordered(this.#records, this.#order).map((record) =>
      box(
        'tr',
        '',
        ...COLUMNS.map(({ head, cell, numeric }) => {
          const made = box('td', numeric ? 'numeric' : '', cell(record));
          made.dataset.head = head;
          return made;
        }),
      ),
    );
    const made = box('table', 'table', box('thead', '', box('tr', '', ...heads)), box('tbody', '', ...lines));
    made.setAttribute('aria-label', 'Publishers');
    host.replaceChildren(made);
  }
}
