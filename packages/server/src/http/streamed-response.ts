// A response body that is too long for memory. It is produced only as fast as the client reads.
import { type Chunks, gunzipChunks } from '../ops/gzip-stream.ts';
import { acceptsGzip, matchesEtag } from './conditional-response.ts';

const IMMUTABLE = 'private, max-age=31536000, immutable';

/** Chunks of a body in gzip, read once or not at all. `release` is called exactly once, when nothing more is read. */
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

export interface SelectedStream {
  readonly status: 200 | 304;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly headers: Record<string, string>;
}

/**
 * The form of a stream that fits the request. Opens the stream, or discards it if the response has no body. `tag`: SHA-256 of the
 * body if it never changes.
 */
export function selectStream(stream: BodyStream, tag: string | undefined, request: Request): SelectedStream {
  const gzip = acceptsGzip(request.headers.get('accept-encoding'));
  const etag = `"${tag}${gzip ? '-gzip' : ''}"`;
  const headers: Record<string, string> = { Vary: 'Accept-Encoding' };
  if (tag !== undefined) Object.assign(headers, { ETag: etag, 'Cache-Control': IMMUTABLE });
  const isCurrent = tag !== undefined && matchesEtag(request.headers.get('if-none-match'), etag);
  if (isCurrent || request.method === 'HEAD') {
    stream.discard();
    return { status: isCurrent ? 304 : 200, body: null, headers };
  }
  if (gzip) headers['Content-Encoding'] = 'gzip';
  return { status: 200, body: stream.open(gzip ? undefined : gunzipChunks), headers };
}
