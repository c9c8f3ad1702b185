// Many hostile clients against the service in a separate process: each is closed with the right code, memory does not grow, and
// fifty other clients read on without a gap.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_MESSAGE_BYTES } from '@tickwire/contract';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { eventually, killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { RawSocket } from '../../testing/raw-socket.fixture.ts';
import { BINARY, CONTINUATION, frame, PING, request, TEXT } from '../../testing/rfc6455/frame.fixture.ts';
import { handshake } from '../../testing/rfc6455/handshake.fixture.ts';
import { Peer } from '../../testing/rfc6455/peer.fixture.ts';
import { makeKey, temporaryFolder } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';

const READERS = 50;
const AT_ONCE = 20;
const HARD_LIMIT = 1024 * 1024;
/** What the runtime may retain of memory it once used; the data sent here is about four times as much. */
const MEMORY_BYTES = 48 * 1024 * 1024;

const folder = temporaryFolder();
let service: ServiceProcess;
let key: string;
let subscribers: StreamClient[];
let loris: RawSocket[];
let drip: ReturnType<typeof setInterval>;
let memory: number;

beforeAll(async () => {
  const config = join(folder, 'tickwire.json');
  const crowd = { requests_per_minute: 100_000, streams: 1_000, ai_calls_per_day: 1 };
  writeFileSync(config, JSON.stringify({ tiers: { crowd } }));
  key = (await makeKey(folder, 'crowd', ['read'])).key;
  service = await ServiceProcess.start({
    ...{ config, data: folder, sim_rate: '100', house: 'none', news: 'none' },
    // Below the limit of open files, so that there is no warning.
    max_connections: '5000',
  });
  subscribers = await Promise.all(
    Array.from({ length: READERS }, () => StreamClient.open(`${service.url.replace('http', 'ws')}/ws/market`, key)),
  );
  await Promise.all(subscribers.map((client) => client.ask({ action: 'subscribe', symbols: ['*'], seq: true })));
  // Meanwhile, some clients never finish their handshake.
  loris = await Promise.all(Array.from({ length: 100 }, () => RawSocket.connect(service.url)));
  for (const socket of loris) socket.write(`${handshake().slice(0, 60)}\r\nX-Drip: `);
  drip = setInterval(() => {
    for (const socket of loris) socket.write('a');
  }, 100);
  // One round of everything, so that memory is compared after it was used.
  for (const [, frames] of [...MALFORMED, ...EXCESSIVE]) await attack(frames);
  memory = resident();
});
afterEach(async () => {
  const seen = subscribers.map(({ messages }) => messages.length);
  await eventually('all subscribers go on', () =>
    subscribers.every(({ messages }, at) => messages.length > seen[at]! + 5),
  );
  for (const client of subscribers) {
    expect(client.closing).toBeNull();
    const data = client.messages.filter(isData);
    expectContinuity(data);
    // The answer to its subscription, and neither a gap nor a slow notice.
    expect(client.messages.length - data.length).toBe(1);
  }
});
afterAll(async () => {
  clearInterval(drip);
  for (const socket of loris ?? []) socket.destroy();
  for (const client of subscribers ?? []) client.close();
  await service?.stop();
  await killLeftovers();
  rmSync(folder, { recursive: true, force: true });
});

const resident = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.bunPid}/status`, 'utf8'))![1]) * 1024;

/** Many connections do the same at the same time; returns their close codes. */
async function attack(frames: readonly Uint8Array[]): Promise<(number | null)[]> {
  const peers = await Promise.all(Array.from({ length: AT_ONCE }, () => Peer.open(service.url, key)));
  for (const peer of peers) peer.send(...frames);
  const endings = await Promise.all(peers.map((peer) => peer.untilClosed()));
  return endings.map(({ code }) => code);
}

const many = (one: Buffer, count: number): Buffer => Buffer.concat(Array<Buffer>(count).fill(one));

const MALFORMED: [string, Buffer[], number][] = [
  ['text that is not UTF-8', [frame(TEXT, Buffer.from([0xc3, 0x28, 0xff]))], 1007],
  ['reserved bits', [frame(TEXT, request(), { reserved: 4 })], 1002],
  ['a reserved opcode', [frame(0x3, request())], 1002],
  ['a frame without a mask', [frame(TEXT, request(), { masked: false })], 1002],
  ['a ping of 126 bytes', [frame(PING, 'x'.repeat(126))], 1002],
  ['a continuation without a start', [frame(CONTINUATION, request())], 1002],
  ['a binary message', [frame(BINARY, request())], 4400],
  ['ten invalid messages', [many(frame(TEXT, '{'), 10)], 4400],
];

const piece = frame(CONTINUATION, Buffer.alloc(65_536, 'a'), { fin: false });
const EXCESSIVE: [string, Buffer[], number][] = [
  ['a frame that claims 2^63 - 1 bytes', [frame(TEXT, 'a', { claims: 2n ** 63n - 1n })], 1009],
  ['a frame that claims 2^31 bytes', [frame(TEXT, 'a', { claims: 2n ** 31n })], 1009],
  ['a frame of 1 MiB and a byte', [frame(TEXT, Buffer.alloc(HARD_LIMIT + 1, 'a'))], 1009],
  ['fragments without an end', [frame(TEXT, '', { fin: false }), ...Array<Buffer>(17).fill(piece)], 1009],
  ['a message over 64 KiB', [frame(TEXT, request(MAX_MESSAGE_BYTES + 1))], 4413],
  ['a flood of pings', [many(frame(PING, 'x'.repeat(125)), 5_000)], 4429],
  ['a flood of messages', [many(frame(TEXT, request()), 5_000)], 4429],
];

describe(`${READERS} clients are not affected by ${AT_ONCE} simultaneous clients with`, () => {
  test.each(MALFORMED)('%s', async (_, frames, code) => {
    expect(await attack(frames)).toEqual(Array(AT_ONCE).fill(code));
  });

  test.each(EXCESSIVE)('%s', async (_, frames, code) => {
    for (let round = 0; round < 3; round++) expect(await attack(frames)).toEqual(Array(AT_ONCE).fill(code));
  });
});

describe(`${READERS} clients are not affected by`, () => {
  test('messages that are never finished, with the maximum number of bytes', async () => {
    const peers = await Promise.all(Array.from({ length: AT_ONCE }, () => Peer.open(service.url, key)));
    for (const peer of peers) peer.send(frame(TEXT, '', { fin: false }), ...Array<Buffer>(15).fill(piece));
    for (const peer of peers) peer.send(frame(PING, 'still here'));
    for (const peer of peers) expect(await peer.waitFor(1)).toEqual(['pong still here']);
    for (const peer of peers) peer.socket.destroy();
  });

  test('connections that open and close in any state', async () => {
    for (let wave = 0; wave < 10; wave++) {
      const sockets = await Promise.all(Array.from({ length: 50 }, () => RawSocket.connect(service.url)));
      for (const [at, socket] of sockets.entries()) {
        socket.write(handshake({ 'X-API-Key': at % 2 === 0 ? key : null }));
        if (at % 3 > 0) await socket.until(({ text }) => text.includes('\r\n\r\n'));
        if (at % 3 > 1) socket.write(frame(TEXT, '{"action":"subscribe","symbols":["*"]}'));
        socket.destroy();
      }
    }
  });

  test('handshakes that never end, one byte at a time, which got no response', () => {
    expect(loris.map(({ text }) => text)).toEqual(loris.map(() => ''));
  });
});

describe('afterwards', () => {
  test('only the other clients are connected', async () => {
    const clients = async (): Promise<unknown> =>
      ((await (await service.get('/api/session', key)).json()) as { clients_connected: number }).clients_connected;
    await eventually('the others are gone', async () => (await clients()) === READERS);
  });

  test('memory is released, and nothing was logged as an error', async () => {
    // Garbage is collected within about ten seconds.
    await eventually('the memory is back', () => resident() - memory < MEMORY_BYTES, 20_000);
    expect(service.err).not.toMatch(/error|warn/i);
  });
});
