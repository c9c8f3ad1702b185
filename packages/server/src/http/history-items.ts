// Rows of history as JSON, with the values that files have.
import type { Column } from '../export/table.ts';

export const itemsOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Record<string, unknown>[] =>
  rows.map((row) => {
    const item: Record<string, unknown> = {};
    for (const { name, type, cell } of columns) {
      const value = cell(row);
      item[name] = type === 'time' && value !== null ? new Date(value).toISOString() : value;
    }
    return item;
  });
