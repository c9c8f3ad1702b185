// Text of any of the encodings that exports come in, as UTF-8 without a mark. MetaTrader 4 and 5 write UTF-16 with a byte
// order mark, some of their versions without one.

const SAMPLE_BYTES = 64;
type Wide = 'utf-16le' | 'utf-16be';

/** The wide encoding of a file that begins so; null for anything that is read byte by byte. */
export function wideEncoding(head: Uint8Array): Wide | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // Without a mark: every other byte of plain text is 0.
  let odd = 0;
  let even = 0;
  const length = Math.min(head.length, SAMPLE_BYTES) & ~1;
  for (let at = 0; at < length; at += 2) {
    if (head[at] === 0 && head[at + 1] !== 0) even++;
    if (head[at] !== 0 && head[at + 1] === 0) odd++;
  }
  if (length < 8 || odd + even < length / 2) return null;
  return even === 0 ? 'utf-16le' : odd === 0 ? 'utf-16be' : null;
}

const markLength = (head: Uint8Array): number => (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0);

/** Chunks as they are, or transcoded. The first ones are gathered until the encoding shows. */
export async function* asUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array(0);
  let decoder: TextDecoder | null = null;
  const encoder = new TextEncoder();
  const start = (): Uint8Array => {
    const first = head!;
    head = null;
    const wide = wideEncoding(first);
    if (!wide) return first.subarray(markLength(first));
    decoder = new TextDecoder(wide);
    return encoder.encode(decoder.decode(first, { stream: true }));
  };
  for await (const chunk of chunks) {
    if (head) {
      head = head.length === 0 ? chunk.slice() : joined(head, chunk);
      if (head.length >= SAMPLE_BYTES) yield start();
    } else yield decoder ? encoder.encode((decoder as TextDecoder).decode(chunk, { stream: true })) : chunk;
  }
  if (head) yield start();
}

export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
