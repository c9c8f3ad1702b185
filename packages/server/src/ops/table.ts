/** Formats rows as a table with aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Prints each row as a line of JSON, or all as a table of these columns. */
export function printRows<T>(
  rows: readonly T[],
  json: boolean,
  columns: Readonly<Record<string, (row: T) => string>>,
): void {
  const cells = Object.values(columns);
  process.stdout.write(
    json
      ? rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      : table(
          Object.keys(columns),
          rows.map((row) => cells.map((cell) => cell(row))),
        ),
  );
}
