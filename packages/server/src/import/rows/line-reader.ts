// Readers of rows from the bytes of a file, and that of formats with one row per line.
import { type LineHandler, LineSplitter } from '../../ops/line-splitter.ts';
import type { RowSink } from './row-sink.ts';

/** The longest real line is a snapshot of an order book: about 400 KB. */
const MAX_LINE_BYTES = 4 << 20;

/** Takes the bytes of a file in chunks of any size and passes its rows to the sink. */
export interface RowReader {
  chunk(bytes: Uint8Array): void;
  end(): void;
}

/** Reads a format with one row per line. */
export class LineReader implements RowReader, LineHandler {
  readonly #sink: RowSink;
  readonly #row: (bytes: Uint8Array, start: number, end: number) => void;
  readonly #splitter = new LineSplitter(this, MAX_LINE_BYTES);
  readonly #header: number;

  /** `header`: number of lines before the first row. */
  constructor(sink: RowSink, header: number, row: (bytes: Uint8Array, start: number, end: number) => void) {
    this.#sink = sink;
    this.#header = header;
    this.#row = row;
  }

  chunk(bytes: Uint8Array): void {
    this.#splitter.chunk(bytes);
  }

  end(): void {
    this.#splitter.end();
  }

  line(bytes: Uint8Array, start: number, end: number, number: number): void {
    if (number <= this.#header) return;
    this.#sink.setLine(bytes, start, end, number);
    this.#row(bytes, start, end);
  }

  tooLong(number: number): void {
    this.#sink.setLine(new Uint8Array(0), 0, 0, number);
    this.#sink.skip('line_too_long');
  }
}
