// The beginning of a file with its name: what a format is recognised by.
import { textOf } from './decimal.ts';

export const SAMPLE_BYTES = 1 << 16;
const SAMPLE_LINES = 20;

export interface Sample {
  /** Path of the file, with `!entry` behind it for one in a zip; slashes forward. */
  readonly path: string;
  /** The last part of it. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The first whole lines that are not empty, without their ends. */
  readonly lines: readonly string[];
}

export function sampleOf(path: string, bytes: Uint8Array, whole: boolean): Sample {
  const slashed = path.replaceAll('\\', '/');
  const lines = textOf(bytes, 0, bytes.length).split('\n');
  // The last one may be cut.
  if (!whole) lines.pop();
  return {
    path: slashed,
    name: slashed.split(/[/!]/).at(-1)!,
    bytes,
    lines: lines
      .map((line) => line.replace(/\r$/, ''))
      .filter((line) => line !== '')
      .slice(0, SAMPLE_LINES),
  };
}

/** Whether at least nine in ten of the lines are of the pattern, after a header of so many: one bad line does not hide a format. */
export function mostMatch(lines: readonly string[], pattern: RegExp, header = 0): boolean {
  const rows = lines.slice(header);
  if (rows.length === 0) return false;
  return rows.filter((line) => pattern.test(line)).length >= Math.max(1, Math.floor(rows.length * 0.9));
}
