// Bytes as they come → whole lines. A line may be spread over many chunks, a character over two; a line without an end
// is given up before it fills the memory.

export class LineSplitter {
  readonly #decoder = new TextDecoder();
  readonly #maxLength: number;
  #rest = '';

  /** `maxLength`: characters of the longest line. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** What stands after the last line's end. */
  get rest(): string {
    return this.#rest;
  }

  /** The lines that are now whole, blank ones left out; null once a line has outgrown the bound. */
  push(chunk: Uint8Array): string[] | null {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > this.#maxLength || lines.some((line) => line.length > this.#maxLength)) return null;
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  }
}
