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
