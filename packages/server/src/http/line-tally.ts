// Requests with one JSON document per line: each line is accepted or rejected separately.
import { type IngestAnswer, type LineRejection, MAX_LISTED_REJECTIONS } from '@tickwire/contract';
import { fromColumn } from '../errors/malformed-json.ts';

/** Counts accepted and rejected lines of a request. */
export class LineTally {
  accepted = 0;
  rejectedCount = 0;
  readonly rejected: IngestAnswer['rejected'] = [];

  /** A function makes a detail that takes time, for lines that are listed. */
  reject(line: number, code: string, detail: string | (() => string)): void {
    this.rejectedCount++;
    if (this.rejected.length >= MAX_LISTED_REJECTIONS) return;
    const text = typeof detail === 'string' ? detail : detail();
    this.rejected.push({ line, code: code as LineRejection, detail: text });
  }

  /** The result of all lines so far. */
  result(): IngestAnswer {
    const rejected = this.rejected.toSorted((a, b) => a.line - b.line);
    return { accepted: this.accepted, rejected, rejected_count: this.rejectedCount };
  }
}

/** Number and value of each line that is JSON; others are rejected, and empty lines left out. `first`: number of the first line. */
export function* jsonLines(
  lines: readonly string[],
  first: number,
  tally: LineTally,
): Generator<readonly [line: number, value: unknown]> {
  for (const [index, text] of lines.entries()) {
    if (text.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      tally.reject(first + index, 'malformed_json', () => `the line is not valid JSON${fromColumn(text)}`);
      continue;
    }
    yield [first + index, value];
  }
}
