// A plain table. On a phone each row becomes a card, with the column heads beside its cells, unless the table is compact.
import type { ComponentChildren } from 'preact';

export interface Column<T> {
  /** '' above buttons: only read out. */
  readonly head: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly numeric?: boolean;
  /** Makes the head a button. */
  readonly sort?: ColumnSort;
}

export interface ColumnSort {
  /** Tooltip of the button. */
  readonly title: string;
  /** `undefined` if the table is sorted by another column. */
  readonly order: 'ascending' | 'descending' | undefined;
  readonly onClick: () => void;
}

export interface TableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Identifies a row, so that focus stays with it when the table is refreshed. */
  readonly keyOf: (row: T) => string | number;
  /** Shown instead of a table without rows. */
  readonly empty: string;
  /** Few narrow columns, which a phone has room for. */
  readonly compact?: boolean;
}

const ARROWS = { ascending: ' ▴', descending: ' ▾' } as const;

export function Table<T>({ caption, columns, rows, keyOf, empty, compact }: TableProps<T>) {
  if (rows.length === 0) return <p class="empty-note">{empty}</p>;
  const classOf = ({ numeric }: Column<T>): string => (numeric ? 'numeric' : '');
  return (
    <div class="table-box">
      <table class={compact ? 'table compact' : 'table'} aria-label={caption}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" class={classOf(column)} aria-sort={column.sort?.order}>
                {column.sort ? (
                  <button type="button" class="sort" title={column.sort.title} onClick={column.sort.onClick}>
                    {`${column.head}${column.sort.order ? ARROWS[column.sort.order] : ''}`}
                  </button>
                ) : (
                  column.head || <span class="unseen">Actions</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.head} class={classOf(column)} data-head={column.head}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Terms and their values, one below the other. */
export function Facts({ entries }: { readonly entries: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {entries.map(([term, value]) => [<dt key={term}>{term}</dt>, <dd key={`${term}-value`}>{value}</dd>])}
    </dl>
  );
}
