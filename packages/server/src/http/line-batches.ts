// Splits a body of lines into batches without decoding it as a whole, so that a large body blocks nothing else.

const NEWLINE = 10;
/** A line of a tick or a headline is far shorter. Longer lines are rejected without being parsed. */
export const MAX_LINE_BYTES = 65_536;
/** Lines and bytes that are processed in one go. */
const BATCH_LINES = 2_000;
const BATCH_BYTES = 1024 * 1024;

export interface LineBatch {
  /** Lines without their line ends. A line that is too long is '' here. */
  readonly lines: readonly string[];
  /** Number of the first line, starting at 1. */
  readonly first: number;
  /** Numbers of the lines that are too long. */
  readonly tooLong: readonly number[];
}

export function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}

/** `body` is valid UTF-8. A byte order mark at its start is skipped. */
export function* lineBatches(body: Uint8Array): Generator<LineBatch> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let at = hasByteOrderMark(body) ? 3 : 0;
  let first = 1;
  while (at < body.length) {
    const lines: string[] = [];
    const tooLong: number[] = [];
    const limit = at + BATCH_BYTES;
    while (at < body.length && at < limit && lines.length < BATCH_LINES) {
      const newline = body.indexOf(NEWLINE, at);
      const end = newline < 0 ? body.length : newline;
      const isLong = end - at > MAX_LINE_BYTES;
      if (isLong) tooLong.push(first + lines.length);
      lines.push(isLong || end === at ? '' : decoder.decode(body.subarray(at, end)));
      at = end + 1;
    }
    yield { lines, first, tooLong };
    first += lines.length;
  }
}

const hasByteOrderMark = (body: Uint8Array): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
