// Bytes of files: two parts as one, their text, and the beginning of a stream.

export function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** One character per byte. A TextDecoder would read windows-1252, in which bytes become other characters. */
export const latin1Text = (bytes: Uint8Array, start: number, end: number): string => {
  const part = bytes.subarray(start, end);
  return Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1');
};

/** The first bytes of a stream, at least `size` of them unless it is shorter, and the whole stream. */
export async function withHead(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): Promise<{ readonly head: Uint8Array; readonly all: AsyncGenerator<Uint8Array> }> {
  const rest = chunks[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < size) {
    const next = await rest.next();
    if (next.done) break;
    head = concatBytes(head, next.value);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
    } finally {
      await rest.return?.();
    }
  }
  return { head, all: all() };
}
