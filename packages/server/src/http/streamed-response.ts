// A response body that is too long for memory. It is produced only as fast as the client reads.
import type { Chunks } from '../ops/gzip-stream.ts';

export interface StreamedResponse {
  /** The body in gzip. */
  readonly stream: BodyStream;
  /** SHA-256 of the body if it never changes, otherwise `null`. */
  readonly tag: string | null;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Chunks of a body, read once or not at all. `release` is called exactly once, when nothing more is read. */
export class BodyStream {
  readonly #chunks: () => Chunks;
  readonly #release: () => void;
  #released = false;

  constructor(chunks: () => Chunks, release: () => void = () => {}) {
    this.#chunks = chunks;
    this.#release = release;
  }

  /** For a response without a body. */
  discard(): void {
    if (!this.#released) this.#release();
    this.#released = true;
  }

  /** `convert`: another form of the chunks. */
  open(convert: (chunks: Chunks) => Chunks = (chunks) => chunks): ReadableStream<Uint8Array> {
    const chunks = convert(this.#chunks());
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { value, done } = await chunks.next();
            if (!done) {
              controller.enqueue(value);
              return;
            }
            controller.close();
          } catch (error) {
            controller.error(error);
          }
          this.discard();
        },
        cancel: async () => {
          this.discard();
          await chunks.return();
        },
      },
      { highWaterMark: 0 },
    );
  }
}
