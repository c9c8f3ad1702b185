// Small lists as CSV (RFC 4180) in memory. No value contains a comma, a quote or a line break: numbers, times, ids, codes and
// display names, which allow none of them and no sign that starts a formula. Files of history are written by history/tables/.
import type { ApiResponse } from './handler.ts';

export const CSV_HEADERS = { 'Content-Type': 'text/csv; charset=utf-8' };

export const csvResponse = (body: string): ApiResponse => ({ body, headers: CSV_HEADERS });

/** A value that a row lacks is empty. */
export const toCsv = (columns: readonly string[], rows: Iterable<object>): string =>
  [columns, ...Array.from(rows, (row) => columns.map((column) => (row as Record<string, unknown>)[column] ?? ''))]
    .map((values) => `${values.join(',')}\r\n`)
    .join('');
