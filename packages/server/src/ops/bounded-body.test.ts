import { expect, test } from 'bun:test';
import { BodyTooLargeError, readBoundedBody } from './bounded-body.ts';

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

test('holds a body of many small chunks in little more memory than its size', async () => {
  const bytes = 1_500_000;
  let sent = 0;
  const small = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      for (let count = 0; count < 1_000; count++) controller.enqueue(new Uint8Array([sent++ % 251]));
      if (sent >= bytes) controller.close();
    },
  });
  const resident = (): number => process.memoryUsage.rss() / 1e6;
  Bun.gc(true);
  const before = resident();
  const body = await readBoundedBody(new Response(small), bytes);
  expect([body.length, body[250], body[251], body[bytes - 1]]).toEqual([bytes, 250, 0, (bytes - 1) % 251]);
  expect(resident() - before).toBeLessThan(80);
});
