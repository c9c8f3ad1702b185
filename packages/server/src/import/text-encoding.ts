// Converts text to UTF-8 without a byte order mark. MetaTrader 4 and 5 write UTF-16, some versions without a byte order mark.
import { parquetAsCsv } from './parquet-text.ts';

const SAMPLE_BYTES = 64;
type Utf16 = 'utf-16le' | 'utf-16be';

/** The UTF-16 encoding of a file that starts with these bytes; `null` if it has another encoding. */
export function utf16Encoding(head: Uint8Array): Utf16 | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // Without a byte order mark: every other byte of plain text is 0.
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

const bomLength = (head: Uint8Array): number => (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0);

/** Text of any supported encoding, and tables in Parquet, as UTF-8. */
export const asUtf8 = (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> => decoded(parquetAsCsv(chunks));

/** The first chunks are collected until the encoding is known. */
async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array(0);
  let decoder: TextDecoder | null = null;
  const encoder = new TextEncoder();
  const start = (): Uint8Array => {
    const first = head!;
    head = null;
    const encoding = utf16Encoding(first);
    if (!encoding) return first.subarray(bomLength(first));
    decoder = new TextDecoder(encoding);
    return encoder.encode(decoder.decode(first, { stream: true }));
  };
  for await (const chunk of chunks) {
    if (head) {
      head = head.length === 0 ? chunk.slice() : concatBytes(head, chunk);
      if (head.length >= SAMPLE_BYTES) yield start();
    } else yield decoder ? encoder.encode((decoder as TextDecoder).decode(chunk, { stream: true })) : chunk;
  }
  if (head) yield start();
}

export function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
