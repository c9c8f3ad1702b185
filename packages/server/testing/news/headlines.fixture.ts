// Real headlines, for measurements.
import { readFileSync } from 'node:fs';

type HeadlineRow = Readonly<Record<string, string>>;

export function readHeadlineRows(path: string): HeadlineRow[] {
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end !== ',') rows.push([]);
  }
  const [header, ...body] = rows.filter((row) => row.length > 1);
  return body.map((row) => Object.fromEntries(header!.map((name, at) => [name, row[at] ?? ''])));
}

export const readHeadlines = (
  path: string,
  column: string,
  keep: (row: HeadlineRow) => boolean = () => true,
): string[] =>
  readHeadlineRows(path)
    .filter(keep)
    .map((row) => row[column]!);
