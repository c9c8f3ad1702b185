import { expect, test } from 'bun:test';
import { ServiceError } from '../errors/service-error.ts';
import { readRequestBody } from './body.ts';

const slow = (headers: Record<string, string>): Request =>
  new Request('http://localhost/', {
    method: 'POST',
    headers,
    body: new ReadableStream({
      async pull(controller) {
        await Bun.sleep(20);
        controller.enqueue(new Uint8Array(1));
      },
    }),
  });

test.each([{}, { 'Content-Length': '1000' }])(
  'a body that is sent too slowly is rejected, and the connection closes: %j',
  async (headers) => {
    const error = await readRequestBody(slow(headers), 1_000, 100).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect([error.code, error.message]).toEqual(['malformed_body', 'The body did not arrive within 0.1 s.']);
    expect(error.options.headers).toEqual({ Connection: 'close' });
  },
);

test('a body that arrives in time is read', async () => {
  const request = new Request('http://localhost/', { method: 'POST', body: 'whole' });
  expect(await readRequestBody(request, 5, 60_000)).toEqual(Buffer.from('whole'));
});
