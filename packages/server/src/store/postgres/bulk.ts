// Many rows in one statement: a column is an array, and the statement takes them apart again. Arrays of numbers are joined
// here, which the driver would do value by value.

/** Rows in one statement: beyond it an array costs more than another round trip. */
export const ROWS_AT_ONCE = 5_000;

export const numbers = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

export function* chunks<T>(rows: readonly T[], size = ROWS_AT_ONCE): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

/** A statement cannot touch a row twice; of rows with one key the last is what counts. */
export function lastOfEach<T>(rows: readonly T[], keyOf: (row: T) => string): readonly T[] {
  const last = new Map(rows.map((row) => [keyOf(row), row]));
  return last.size === rows.length ? rows : [...last.values()];
}
