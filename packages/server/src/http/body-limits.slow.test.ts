// Bodies without a declared length, over real sockets to a real process: they cost little memory, are cut at the limit of
// the endpoint, and an address can send only some of them at the same time.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { RawSocket } from '../../testing/raw-socket.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { MAX_OPEN_BODIES } from '../access/address-limits.ts';

const MIB = 1024 * 1024;
const SIGN_IN = '/api/account/sign-in';
const folder = temporaryFolder();
let service: ServiceProcess;
beforeAll(async () => {
  service = await ServiceProcess.start({ data: folder, house: 'none', news: 'none', trusted_proxies: '127.0.0.1' });
});
afterAll(async () => {
  await service.stop();
  await killLeftovers();
  rmSync(folder, { recursive: true, force: true });
});

const head = (method: string, path: string, from = '192.0.2.1'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\nTransfer-Encoding: chunked\r\n\r\n`;
const CHUNK = `10000\r\n${'x'.repeat(65_536)}\r\n`;
const residentMib = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.bunPid}/status`, 'utf8'))![1]) / 1024;

test('60 bodies of 16 MiB to the sign-in endpoint cost less than 64 MiB of memory', async () => {
  const before = residentMib();
  let most = before;
  const sockets = await Promise.all(Array.from({ length: 60 }, () => RawSocket.connect(service.url)));
  for (const socket of sockets) socket.write(head('POST', SIGN_IN));
  for (let sent = 0; sent < 16 * MIB; sent += CHUNK.length * 16) {
    for (const socket of sockets) socket.write(CHUNK.repeat(16));
    await Bun.sleep(5);
    most = Math.max(most, residentMib());
  }
  for (const socket of sockets) socket.destroy();
  expect(most - before).toBeLessThan(64);
});

test.each([
  ['POST', SIGN_IN],
  ['POST', '/api/signals'],
  ['GET', '/healthz'],
  ['GET', '/docs'],
  ['POST', '/none-such'],
])('a %s to %s with an endless body gets a response and is disconnected', async (method, path) => {
  const socket = await RawSocket.connect(service.url);
  socket.write(head(method, path));
  const sending = setInterval(() => socket.write(CHUNK), 1);
  expect(await socket.until(({ isClosed }) => isClosed)).toBe(true);
  clearInterval(sending);
});

test('two million chunks of one byte do not stall other requests', async () => {
  const sockets = await Promise.all(Array.from({ length: MAX_OPEN_BODIES }, () => RawSocket.connect(service.url)));
  let slowest = 0;
  const tiny = '1\r\nx\r\n'.repeat(63_000);
  for (const [at, socket] of sockets.entries()) socket.write(head('POST', SIGN_IN, `198.51.100.${at}`) + tiny);
  for (let count = 0; count < 20; count++) {
    const passed = startWatch();
    await fetch(`${service.url}/healthz`);
    slowest = Math.max(slowest, passed());
  }
  expect(slowest).toBeLessThan(1_000);
  expect(await sockets[0]!.until(({ text }) => text.includes('too many small chunks'))).toBe(true);
  for (const socket of sockets) socket.destroy();
});

test('a body in chunks that was read to its end keeps the connection open', async () => {
  const socket = await RawSocket.connect(service.url);
  const body = JSON.stringify({ text: 'Gold rises' });
  const lines = ['POST /api/ai/sentiment HTTP/1.1', 'Host: localhost', `X-API-Key: ${service.demoKey}`];
  socket.write(`${lines.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  expect(await socket.until(({ text }) => text.startsWith('HTTP/1.1 200 '))).toBe(true);
  expect(socket.text).not.toMatch(/connection: close/i);
  socket.destroy();
});

test('an address can send 32 bodies at the same time; the next gets a 429, and another address is not affected', async () => {
  const open = async (from: string): Promise<RawSocket> => {
    const socket = await RawSocket.connect(service.url);
    socket.write(`${head('POST', SIGN_IN, from)}2\r\n{}\r\n`);
    return socket;
  };
  const waiting = await Promise.all(Array.from({ length: MAX_OPEN_BODIES }, () => open('2001:db8::1')));
  await Bun.sleep(100);
  const refused = await open('2001:db8::2');
  expect(await refused.until(({ text }) => text.includes('too_many_requests'))).toBe(true);
  expect(refused.text).toStartWith('HTTP/1.1 429 ');
  expect(refused.text).toMatch(/^Retry-After: 1\r$/m);
  const other = await open('2001:db8:1::1');
  other.write('0\r\n\r\n');
  expect(await other.until(({ text }) => text.startsWith('HTTP/1.1 400 '))).toBe(true);
  expect(waiting.map(({ text }) => text)).toEqual(waiting.map(() => ''));
  for (const socket of waiting) socket.write('0\r\n\r\n');
  for (const socket of waiting) expect(await socket.until(({ text }) => text.startsWith('HTTP/1.1 400 '))).toBe(true);
  const after = await open('2001:db8::2');
  after.write('0\r\n\r\n');
  expect(await after.until(({ text }) => text.startsWith('HTTP/1.1 400 '))).toBe(true);
  for (const socket of [...waiting, refused, other, after]) socket.destroy();
});
