// Requests with one JSON document per line: each line is accepted or rejected separately.
import { type IngestAnswer, type LineRejection, MAX_LISTED_REJECTIONS } from '@tickwire/contract';

/** Counts accepted and rejected lines of a request. */
export class LineTally {
  accepted = 0;
  rejectedCount = 0;
  readonly rejected: IngestAnswer['rejected'] = [];

  reject(line: number, code: string, detail: string): void {
    this.rejectedCount++;
    if (this.rejected.length < MAX_LISTED_REJECTIONS) this.rejected.push({ line, code: code as LineRejection, detail });
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
      tally.reject(first + index, 'malformed_json', 'the line is not JSON');
      continue;
    }
    yield [first + index, value];
  }
}
