// The start of a file and its name, from which its format is detected.
import { latin1Text } from './bytes.ts';

export const SAMPLE_BYTES = 1 << 16;
const SAMPLE_LINES = 20;

export interface FileSample {
  /** Path with forward slashes, followed by `!entry` for an entry of a zip. */
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The first complete, non-empty lines without line ends. */
  readonly lines: readonly string[];
  /** The number of each of these lines in the file, from 1; empty lines count. */
  readonly lineNumbers: readonly number[];
}

export function createSample(path: string, bytes: Uint8Array, isComplete: boolean): FileSample {
  const slashed = path.replaceAll('\\', '/');
  const lines = latin1Text(bytes, 0, bytes.length).split('\n');
  // The last line may be cut off.
  if (!isComplete) lines.pop();
  const numbered = lines
    .map((line, index) => ({ line: line.replace(/\r$/, ''), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .slice(0, SAMPLE_LINES);
  return {
    path: slashed,
    name: slashed.split(/[/!]/).at(-1)!,
    bytes,
    lines: numbered.map(({ line }) => line),
    lineNumbers: numbered.map(({ number }) => number),
  };
}

/** Whether at least 90 % of the lines after the header match: one bad line must not hide a format. */
export function mostLinesMatch(lines: readonly string[], pattern: RegExp, header = 0): boolean {
  const rows = lines.slice(header);
  if (rows.length === 0) return false;
  return rows.filter((line) => pattern.test(line)).length >= Math.max(1, Math.floor(rows.length * 0.9));
}
