import { afterAll, expect, test } from 'bun:test';
import { eventually } from '../../testing/process.fixture.ts';
import { RawSocket } from '../../testing/raw-socket.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { lowOpenFilesLimit, openFiles, openFilesLimit } from '../ops/open-files.ts';
import { Ports } from './ports.ts';

const ports = new Ports(silentLog);
afterAll(() => ports.stop());

test('a port that was closed and opened again keeps streams and requests, and publishes to all streams', async () => {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
  const port = ports.open<undefined>('port', 0, {
    hostname: '127.0.0.1',
    routes: {
      '/slow': () => {
        asked.resolve();
        return answer.promise;
      },
    },
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response()),
    websocket: { open: (socket) => void socket.subscribe('prices'), message: () => {} },
  });
  const slow = fetch(`${port.url}slow`);
  const earlier = await StreamClient.open(port.url.href);
  await asked.promise;
  port.pause();
  await expect(RawSocket.connect(port.url.href)).rejects.toThrow();
  port.publish('prices', '{"tick":1}');
  port.resume();
  const later = await StreamClient.open(port.url.href);
  port.publish('prices', '{"tick":2}');
  expect(await earlier.take(2)).toEqual([{ tick: 1 }, { tick: 2 }]);
  expect(await later.next()).toEqual({ tick: 2 });
  expect(port.subscriberCount('prices')).toBe(2);
  answer.resolve(new Response('answered'));
  expect(await (await slow).text()).toBe('answered');
  await port.stop();
  await Promise.all([earlier.closed, later.closed]);
});

test.skipIf(process.platform !== 'linux')('connections that have sent no complete request are counted', async () => {
  const port = ports.open<undefined>('port', 0, {
    hostname: '127.0.0.1',
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(new ReadableStream())),
    websocket: { message: () => {} },
  });
  const idle = async (): Promise<number | null> => {
    await ports.countIdle();
    return ports.idle;
  };
  const stream = await StreamClient.open(port.url.href);
  const request = fetch(port.url);
  const unfinished = await Promise.all(
    ['', 'GET / HTTP/1.1\r\n'].map(async (text) => {
      const socket = await RawSocket.connect(port.url.href);
      socket.write(text);
      return socket;
    }),
  );
  await eventually('they are counted', async () => port.busy === 2 && (await idle()) === 2);
  port.pause();
  await eventually('the same while the port is closed', async () => (await idle()) === 2);
  for (const socket of unfinished) socket.destroy();
  await eventually('they have gone', async () => (await idle()) === 0);
  await port.stop();
  await Promise.all([stream.closed, request.catch(() => {})]);
});

test('a limit of open files that does not fit the settings is named', () => {
  expect(lowOpenFilesLimit(20_000, 21_000)).toBeNull();
  expect(lowOpenFilesLimit(20_000, Number.POSITIVE_INFINITY)).toBeNull();
  expect(lowOpenFilesLimit(20_000, 512)).toMatch(
    /^the limit of open files is 512, but TICKWIRE_MAX_CONNECTIONS is 20000: raise the limit .* to 21000 or more/,
  );
  expect(openFiles()).toBeWithin(10, openFilesLimit());
});
