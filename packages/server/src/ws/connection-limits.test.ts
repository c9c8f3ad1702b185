// Limits on open connections, in total and per address, and that each connection counts exactly as long as it is open.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Problem } from '@tickwire/contract';
import { connected, metric } from '../../testing/metric.fixture.ts';
import { RawSocket } from '../../testing/raw-socket.fixture.ts';
import { closeFrame, frame, TEXT } from '../../testing/rfc6455/frame.fixture.ts';
import {
  type Changes,
  type HandshakeResponse,
  handshake,
  readResponse,
} from '../../testing/rfc6455/handshake.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

const IN_ALL = 12;
const PER_ADDRESS = 5;

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    feeds: 'push',
    metrics_port: '0',
    trusted_proxies: '127.0.0.1',
    max_connections: String(IN_ALL),
    max_connections_per_address: String(PER_ADDRESS),
  });
});
afterAll(() => service.stop());

/** A handshake from an address, and its response; the connection stays open. */
async function tryHandshake(
  address: string,
  changes: Changes = {},
): Promise<HandshakeResponse & { socket: RawSocket }> {
  const socket = await RawSocket.connect(service.url);
  socket.write(handshake({ 'X-Forwarded-For': address, ...changes }));
  return { ...(await readResponse(socket)), socket };
}

/** That many open connections from an address. */
async function opened(count: number, address: string): Promise<RawSocket[]> {
  const knocks = await Promise.all(Array.from({ length: count }, () => tryHandshake(address)));
  expect(knocks.map(({ status }) => status)).toEqual(Array(count).fill(101));
  return knocks.map(({ socket }) => socket);
}

const refused = (reason: string): Promise<number> => metric(service, `tickwire_ws_refused_total{reason="${reason}"}`);

async function leave(sockets: readonly RawSocket[]): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await connected(service, 0);
}

function expectRefusal({ status, headers, body }: HandshakeResponse, expected: number, code: string): void {
  expect(status).toBe(expected);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((JSON.parse(body) as Problem).code).toBe(code as never);
}

describe('connections from one address', () => {
  test('one too many is rejected before the upgrade; other addresses and open connections are not affected', async () => {
    const open = await opened(PER_ADDRESS, '192.0.2.1');
    const before = await refused('too_many_connections');
    expectRefusal(await tryHandshake('192.0.2.1'), 429, 'too_many_connections');
    expect(await refused('too_many_connections')).toBe(before + 1);
    open.push(...(await opened(1, '192.0.2.2')));
    expect(open.some(({ isClosed }) => isClosed)).toBe(false);
    await leave(open);
  });

  test('at the same time: exactly as many as allowed are accepted', async () => {
    const knocks = await Promise.all(Array.from({ length: 4 * PER_ADDRESS }, () => tryHandshake('192.0.2.3')));
    const statuses = knocks.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(PER_ADDRESS).fill(101), ...Array(3 * PER_ADDRESS).fill(429)]);
    await leave(knocks.map(({ socket }) => socket));
  });

  test('of IPv6 are counted per /64 network, which a single household has', async () => {
    const open = await Promise.all(
      Array.from({ length: PER_ADDRESS }, (_, host) => tryHandshake(`2001:db8:1:2::${host + 1}`)),
    );
    expectRefusal(await tryHandshake('2001:db8:1:2:ffff::9'), 429, 'too_many_connections');
    open.push(await tryHandshake('2001:db8:1:3::1'));
    expect(open.map(({ status }) => status)).toEqual(Array(PER_ADDRESS + 1).fill(101));
    await leave(open.map(({ socket }) => socket));
  });

  test('an invalid key is still reported as such, and a valid one does not bypass the limit', async () => {
    const open = await opened(PER_ADDRESS, '192.0.2.4');
    expect((await tryHandshake('192.0.2.4', { 'X-API-Key': 'tw_bad' })).status).toBe(401);
    const { key } = await service.key();
    expectRefusal(await tryHandshake('192.0.2.4', { 'X-API-Key': key }), 429, 'too_many_connections');
    await leave(open);
  });
});

describe('connections in total', () => {
  test('one too many is rejected with 503; when one closes, the next is accepted', async () => {
    const open = await opened(PER_ADDRESS, '192.0.2.1');
    open.push(...(await opened(PER_ADDRESS, '192.0.2.2')), ...(await opened(IN_ALL - 2 * PER_ADDRESS, '192.0.2.3')));
    expectRefusal(await tryHandshake('192.0.2.4'), 503, 'service_full');
    expect(await refused('service_full')).toBe(1);
    // Requests do not count as connections.
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    open.shift()!.destroy();
    await connected(service, IN_ALL - 1);
    open.push(...(await opened(1, '192.0.2.4')));
    await leave(open);
  });
});

describe('the count', () => {
  /** What a connection attempt may do. */
  const FATES: ((address: string) => Promise<void>)[] = [
    async (address) => void (await tryHandshake(address)).socket.destroy(),
    async (address) => (await tryHandshake(address)).socket.end(),
    async (address) => (await tryHandshake(address)).socket.write(closeFrame(1000)),
    // Closed by the protocol layer, and by us.
    async (address) => (await tryHandshake(address)).socket.write(frame(0x3)),
    async (address) => (await tryHandshake(address)).socket.write(frame(TEXT, '{"action":"ping","api_key":"tw_bad"}')),
    // Never upgraded: no nonce, an invalid key, an unsupported version.
    async (address) => void (await tryHandshake(address, { 'Sec-WebSocket-Key': null })).socket.destroy(),
    async (address) => void (await tryHandshake(address, { 'X-API-Key': 'tw_bad' })).socket.destroy(),
    async (address) => void (await tryHandshake(address, { 'Sec-WebSocket-Version': '99' })).socket.destroy(),
    // Closed before the response, and before the request.
    async (address) => {
      const socket = await RawSocket.connect(service.url);
      socket.write(handshake({ 'X-Forwarded-For': address }));
      socket.destroy();
    },
    async (address) => {
      const socket = await RawSocket.connect(service.url);
      socket.write(handshake({ 'X-Forwarded-For': address }).slice(0, 70));
      socket.destroy();
    },
  ];

  test('is zero again for each address after many opens, closes and aborts of every kind', async () => {
    const addresses = ['198.51.100.1', '198.51.100.2', '2001:db8::1', '2001:db8::2'];
    for (let round = 0; round < 12; round++)
      await Promise.all(
        Array.from({ length: 24 }, () => {
          const [fate, at] = [Math.floor(Math.random() * FATES.length), Math.floor(Math.random() * addresses.length)];
          return FATES[fate]!(addresses[at]!);
        }),
      );
    await connected(service, 0);
    for (const address of addresses.slice(0, 3)) {
      const open = await opened(PER_ADDRESS, address);
      expect((await tryHandshake(address)).status).toBe(429);
      await leave(open);
    }
    expect(await metric(service, 'tickwire_ws_clients')).toBe(0);
  });
});
