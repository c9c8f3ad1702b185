// Many rows in one statement: each column is passed as an array and expanded with unnest(). Arrays of numbers are
// serialized here, because the driver does it value by value.

/** Rows per statement: with more, the array costs more than another round trip. */
export const ROWS_AT_ONCE = 5_000;

export const numbers = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

export function* chunks<T>(rows: readonly T[], size = ROWS_AT_ONCE): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}
