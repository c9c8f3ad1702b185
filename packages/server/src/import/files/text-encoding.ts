// Converts text to UTF-8 without a byte order mark. MetaTrader 4 and 5 write UTF-16, some versions without a byte order mark.
import { withHead } from './bytes.ts';
import { parquetAsCsv } from './parquet-text.ts';

const SAMPLE_BYTES = 64;
type Utf16 = 'utf-16le' | 'utf-16be';

/** The UTF-16 encoding of a file that starts with these bytes; `null` if it has another encoding. */
function utf16Encoding(head: Uint8Array): Utf16 | null {
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

async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, all } = await withHead(chunks, SAMPLE_BYTES);
  const encoding = utf16Encoding(head);
  if (encoding) {
    const decoder = new TextDecoder(encoding);
    const encoder = new TextEncoder();
    for await (const chunk of all) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  } else {
    let mark = bomLength(head);
    for await (const chunk of all) {
      yield chunk.subarray(mark);
      mark = 0;
    }
  }
}
