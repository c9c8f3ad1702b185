// The socket for Node, against services that keep to the protocol and some that do not.
import { afterEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { TickwireClient } from './client.ts';
import type { ConnectionEnd } from './connection.ts';
import { acknowledge, fakeService, type Socket, until } from './fake-service.fixture.ts';
import { HeldTiming } from './held-timing.fixture.ts';
import { FrameReader, frameOf } from './node-frames.ts';
import { NodeSocket } from './node-socket.ts';

const REFUSAL = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n';
const accepted = (request: string): string => {
  const key = /sec-websocket-key: (\S+)/i.exec(request)?.[1];
  const proof = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nsec-websocket-accept: ${proof}\r\n\r\n`;
};

const listeners: { stop(force: boolean): void }[] = [];
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.stop(true);
});

/** A server that answers the handshake with this, piece by piece as it is told. */
function answering(answer: (request: string) => readonly (string | Uint8Array)[]): string {
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      async data(socket, bytes) {
        const text = bytes.toString('latin1');
        if (!text.startsWith('GET')) return;
        for (const piece of answer(text)) {
          socket.write(piece);
          await Bun.sleep(1);
        }
      },
    },
  });
  listeners.push(listener);
  return `ws://127.0.0.1:${listener.port}/ws/market`;
}

/** What a socket hears until its end; closed from this side where the other does not. */
async function hear(url: string, count = Number.POSITIVE_INFINITY) {
  const heard: string[] = [];
  const socket = new NodeSocket(url);
  const end = new Promise<ConnectionEnd>((resolve) => {
    socket.onclose = (event: ConnectionEnd) => resolve(event);
  });
  socket.onmessage = ({ data }: { data: string }) => {
    heard.push(data);
    if (heard.length === count) socket.close();
  };
  return { heard, end: await end };
}

/** As a server sends it: not masked. */
function frame(opcode: number, payload: string | Uint8Array, last = true): Buffer {
  const body = Buffer.from(payload as string);
  const long = body.length > 125;
  const head = Buffer.from([
    (last ? 0x80 : 0) | opcode,
    long ? 126 : body.length,
    ...(long ? [body.length >> 8, body.length & 255] : []),
  ]);
  return Buffer.concat([head, body]);
}

test('a stream works over it as over any other', async () => {
  const sockets: Socket[] = [];
  await using service = fakeService({
    onMessage: (socket, message) => {
      sockets.push(socket);
      acknowledge(socket, message.symbols);
      socket.ping();
      socket.send(JSON.stringify({ symbol: 'EURUSD', bid: 1, note: 'ü€😀'.repeat(30_000) }));
    },
  });
  const client = new TickwireClient({ url: service.url, apiKey: 'k', WebSocket: NodeSocket });
  const bids: number[] = [];
  const stream = client.stream('market', { symbols: ['EURUSD'] }, { onMessage: ({ bid }) => bids.push(bid) });
  await until(() => bids.length === 1, 'a message of 270 KB');
  sockets[0]?.close(4401, 'revoked');
  await until(() => stream.state === 'closed', 'the end');
  expect(stream.error).toMatchObject({ code: 'invalid_key', detail: 'revoked' });
});

test('messages may come byte by byte, in parts, with pings between the parts', async () => {
  const bytes = Buffer.concat([
    frame(1, '{"a":', false),
    frame(9, 'are you there'),
    frame(0, '"ü"', false),
    frame(0, '}'),
  ]);
  const url = answering((request) => [
    accepted(request),
    ...Array.from(bytes, (byte) => new Uint8Array([byte])),
    frame(1, 'x'.repeat(300)),
  ]);
  expect(await hear(url, 2)).toMatchObject({ heard: ['{"a":"ü"}', 'x'.repeat(300)] });
});

test('the first message may come with the handshake', async () => {
  const url = answering((request) => [Buffer.concat([Buffer.from(accepted(request)), frame(1, 'hello')])]);
  expect((await hear(url, 1)).heard).toEqual(['hello']);
});

describe('a handshake that is refused', () => {
  test('tells why, and when to come back', async () => {
    const { end } = await hear(answering(() => [REFUSAL.slice(0, 20), REFUSAL.slice(20)]));
    expect(end).toEqual({
      code: 1006,
      reason: 'the handshake was refused: 503 Service Unavailable',
      retryAfterSeconds: 7,
    });
  });

  test('is tried again after the time it named, not before', async () => {
    const timing = new HeldTiming();
    const url = answering(() => [REFUSAL])
      .replace('ws:', 'http:')
      .replace('/ws/market', '');
    const client = new TickwireClient({ url, apiKey: 'k', WebSocket: NodeSocket, timing });
    let wait: number | null = null;
    const stream = client.stream(
      'market',
      { symbols: ['*'] },
      { onMessage() {}, onState: (_, { retryInMs }) => (wait = retryInMs) },
    );
    await until(() => wait !== null, 'the refusal');
    expect(wait as unknown).toBe(7_250);
    stream.close();
  });

  test('without the proof that it was understood is none', async () => {
    const url = answering((request) => [accepted(request).replace(/accept: \S+/, 'accept: AAAA')]);
    expect((await hear(url)).end).toMatchObject({ code: 1006, reason: expect.stringContaining('refused') });
  });

  test('by nobody at all is a loss of the connection', async () => {
    expect((await hear('ws://127.0.0.1:1/')).end).toMatchObject({ code: 1006 });
  });
});

test.each([
  ['a masked frame', frameOf(1, Buffer.from('x'))],
  ['a reserved bit', Buffer.from([0xc1, 1, 65])],
  ['a continuation of nothing', frame(0, 'x')],
  ['a message within a message', Buffer.concat([frame(1, 'x', false), frame(1, 'y')])],
  ['a ping in parts', frame(9, 'x', false)],
  ['a frame of 1 TB', Buffer.from([0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0])],
  ['text that is not UTF-8', frame(1, new Uint8Array([0xff, 0xfe]))],
  ['a binary message', frame(2, 'x')],
])('%s ends the connection', async (_, bytes) => {
  const { heard, end } = await hear(answering((request) => [accepted(request), bytes]));
  expect(heard).toEqual([]);
  expect(end).toMatchObject({ code: 1006, reason: expect.stringContaining('the service sent') });
});

test.each([0, 125, 126, 65_535, 65_536])('a message of %d bytes is written as the protocol wants it', (length) => {
  const written = frameOf(1, Buffer.alloc(length, 'a'));
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  expect(written.length).toBe(start + 4 + length);
  const mask = written.subarray(start, start + 4);
  const payload = written.subarray(start + 4).map((byte, at) => byte ^ mask[at % 4]!);
  // The same without its mask is what a reader of the other side would get.
  const head = Buffer.from(written.subarray(0, start));
  head[1]! &= 0x7f;
  const [read] = [...new FrameReader().read(Buffer.concat([head, payload]))];
  expect(read?.payload.toString()).toBe('a'.repeat(length));
});
