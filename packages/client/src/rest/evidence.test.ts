import { expect, test } from 'bun:test';
import { fakeService, until } from '../../testing/fake-service.ts';
import { TickwireClient } from '../client.ts';
import { TickwireError } from '../common/tickwire-error.ts';

const LINES = Array.from({ length: 500 }, (_, seq) => ({ seq, time: seq, bid: 1, ask: 2, source: 'sim' }));
const TEXT = LINES.map((line) => `${JSON.stringify(line)}\n`).join('');

const clientOf = (service: { readonly url: string }, timeoutMs = 60_000): TickwireClient =>
  new TickwireClient({ url: service.url, apiKey: 'k', timeoutMs });
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('reads the lines of a sealed day as they arrive, longer than the timeout', async () => {
  await using service = fakeService({
    rest: ({ url, headers }) => {
      expect([new URL(url).pathname, headers.get('accept')]).toEqual([
        '/api/evidence/2026-03-02/EURUSD',
        'application/x-ndjson',
      ]);
      const bytes = Bun.gzipSync(new TextEncoder().encode(TEXT));
      const body = new ReadableStream({
        async start(controller) {
          for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 6)) {
            controller.enqueue(bytes.subarray(at, at + Math.ceil(bytes.length / 6)));
            await Bun.sleep(190);
          }
          controller.close();
        },
      });
      return new Response(body, { headers: { 'Content-Encoding': 'gzip', 'Evidence-SHA256': 'ab' } });
    },
  });
  const { sealed, sha256, lines } = await clientOf(service, 1_000).evidence('2026-03-02', 'EURUSD');
  expect([sealed, sha256]).toEqual([true, 'ab']);
  expect(await Array.fromAsync(lines)).toEqual(LINES);
});

test('passes `after`, and a day read from the tape has no hash', async () => {
  await using service = fakeService({
    rest: ({ url }) => new Response(new URL(url).search === '?after=7' ? TEXT : null),
  });
  const { sealed, sha256, lines } = await clientOf(service).evidence('2026-03-02', 'EURUSD', { after: 7 });
  expect([sealed, sha256, (await Array.fromAsync(lines)).length]).toEqual([false, null, LINES.length]);
});

test('leaving the loop early closes the connection', async () => {
  let left = false;
  await using service = fakeService({
    rest: () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new TextEncoder().encode(TEXT)),
          cancel: () => {
            left = true;
          },
        }),
      ),
  });
  const { lines } = await clientOf(service).evidence('2026-03-02', 'EURUSD');
  for await (const { seq } of lines) if (seq === 3) break;
  await until(() => left, 'the end of the connection');
});

test('fails with the error of the service, and with a network error if the body is cut off', async () => {
  const problem = { type: '', title: '', status: 404, detail: 'none', code: 'no_evidence', request_id: 'r' };
  await using refusing = fakeService({ rest: () => Response.json(problem, { status: 404 }) });
  expect(await errorOf(clientOf(refusing).evidence('2026-03-02', 'EURUSD'))).toMatchObject({ code: 'no_evidence' });
  await using cutting = fakeService({
    rest: () => new Response(Bun.gzipSync(TEXT).slice(0, 400), { headers: { 'Content-Encoding': 'gzip' } }),
  });
  const read = async (): Promise<void> => {
    const { lines } = await clientOf(cutting).evidence('2026-03-02', 'EURUSD');
    for await (const _ of lines);
  };
  const error = await errorOf(read());
  expect(error).toBeInstanceOf(TickwireError);
  expect(error).toMatchObject({ status: 0, code: 'network' });
});
