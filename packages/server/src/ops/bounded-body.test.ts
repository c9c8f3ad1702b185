import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { BodyTooLargeError, readBoundedBody, TinyChunksError } from './bounded-body.ts';

const chunked = (chunks: number, onCancel = () => {}): ReadableStream<Uint8Array<ArrayBuffer>> => {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ < chunks) controller.enqueue(new Uint8Array(10).fill(sent));
      else controller.close();
    },
    cancel: onCancel,
  });
};

test('reads a body of up to the limit', async () => {
  expect(await readBoundedBody(new Response(null), 0)).toHaveLength(0);
  expect(await readBoundedBody(new Response('whole'), 5)).toEqual(Buffer.from('whole'));
  const bytes = await readBoundedBody(new Response(chunked(3)), 30);
  expect([bytes.length, bytes[0], bytes[29]]).toEqual([30, 1, 3]);
});

test('rejects a longer body while it is read, and cancels the rest', async () => {
  let cancelled = false;
  const endless = chunked(Number.POSITIVE_INFINITY, () => {
    cancelled = true;
  });
  await expect(readBoundedBody(new Response(endless), 95)).rejects.toBeInstanceOf(BodyTooLargeError);
  expect(cancelled).toBe(true);
});

test('rejects a longer declared length before reading', async () => {
  const response = new Response(chunked(1), { headers: { 'Content-Length': '11' } });
  await expect(readBoundedBody(response, 10)).rejects.toBeInstanceOf(BodyTooLargeError);
});

const inChunks = (count: number, bytes: number): Response => {
  let sent = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      for (let turn = 0; turn < 1_000; turn++) controller.enqueue(new Uint8Array(bytes).fill(sent++ % 251));
      if (sent >= count) controller.close();
    },
  });
  return new Response(stream);
};

// In a process of its own: other tests leave memory that is freed at any time.
test('holds a body of many small chunks in little more memory than its size', async () => {
  const script = `
    import { readBoundedBody } from ${JSON.stringify(join(import.meta.dir, 'bounded-body.ts'))};
    const inChunks = ${inChunks};
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    const body = await readBoundedBody(inChunks(1_000_000, 16), 16_000_000);
    const grown = process.memoryUsage.rss() - before;
    console.log(JSON.stringify([body.length, body[16], body[15_999_999], grown]));`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
  const [length, second, last, grown] = await new Response(child.stdout).json();
  expect([length, second, last]).toEqual([16_000_000, 1, 999_999 % 251]);
  expect(grown / 1e6).toBeLessThan(100);
});

test('rejects a body of many tiny chunks', async () => {
  expect(await readBoundedBody(inChunks(1_000, 1), 65_536)).toHaveLength(1_000);
  await expect(readBoundedBody(inChunks(2_000, 1), 65_536)).rejects.toBeInstanceOf(TinyChunksError);
});
