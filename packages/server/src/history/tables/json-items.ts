// Rows of history as JSON, with the values that files have. A page may have 10,000 rows, so other work runs in between.
import { pauses } from '../../ops/pauses.ts';
import type { Column } from './table.ts';

/** Rows that take well below a millisecond, also those of footprints. */
const PART = 50;

export async function itemsOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Promise<Record<string, unknown>[]> {
  const pause = pauses();
  const items: Record<string, unknown>[] = [];
  for (const row of rows) {
    const item: Record<string, unknown> = {};
    for (const { name, type, cell } of columns) {
      const value = cell(row);
      item[name] = type === 'time' && value !== null ? new Date(value).toISOString() : value;
    }
    items.push(item);
    if (items.length % PART === 0) await pause();
  }
  return items;
}

/** An object as JSON text. */
export async function pageText(page: object): Promise<string> {
  const pause = pauses();
  const fields: string[] = [];
  for (const [name, value] of Object.entries(page)) {
    if (!Array.isArray(value)) {
      fields.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
      continue;
    }
    const parts: string[] = [];
    for (let at = 0; at < value.length; at += PART) {
      parts.push(JSON.stringify(value.slice(at, at + PART)).slice(1, -1));
      await pause();
    }
    fields.push(`${JSON.stringify(name)}:[${parts.join(',')}]`);
  }
  return `{${fields.join(',')}}`;
}
