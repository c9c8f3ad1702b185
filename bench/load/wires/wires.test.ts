// The parsers of the brokers' protocols: what they find must not depend on how the bytes are split.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { mqttProtocol } from './mqtt-wire.ts';
import { natsProtocol } from './nats-wire.ts';
import { redisProtocol } from './redis-wire.ts';
import type { Tick, Wire } from './wire.ts';

const SYMBOLS = ['EURUSD', 'XAUUSD'];
const tick = (symbol: string, length: number): Tick => ({
  symbol,
  payload: `{"symbol":"${symbol}","x":"${'y'.repeat(length)}"}`,
  line: '',
});

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;
const redisArray = (...parts: string[]): string => `*3\r\n${parts.join('')}`;

/** What each server sends to a reader: its confirmation, and then the messages. */
const SERVERS: [name: string, wire: Wire, opening: Buffer, message: (tick: Tick) => Buffer][] = [
  [
    'NATS',
    natsProtocol(1, 2).reader(SYMBOLS),
    Buffer.from('INFO {"server_id":"x"}\r\nPING\r\nPONG\r\n'),
    ({ symbol, payload }) => Buffer.from(`MSG ${symbol} 1 ${payload.length}\r\n${payload}\r\n`),
  ],
  [
    'Redis',
    redisProtocol(1).reader(SYMBOLS),
    Buffer.from(SYMBOLS.map((symbol, at) => redisArray(bulk('subscribe'), bulk(symbol), `:${at + 1}\r\n`)).join('')),
    ({ symbol, payload }) => Buffer.from(redisArray(bulk('message'), bulk(symbol), bulk(payload))),
  ],
  [
    'MQTT',
    mqttProtocol(1).reader(SYMBOLS),
    Buffer.from([0x20, 2, 0, 0, 0x90, 4, 0, 1, 0, 0]),
    // A publication looks the same in both directions.
    (each) => mqttProtocol(1).publish([each]),
  ],
];

function parseInPieces(wire: Wire, bytes: Buffer, sizes: readonly number[]): { ready: number; payloads: string[] } {
  const found = { ready: 0, payloads: [] as string[] };
  const sink = {
    ready: () => found.ready++,
    message: (from: Buffer, start: number, end: number) => found.payloads.push(from.toString('utf8', start, end)),
    complaint: (text: string) => {
      throw new Error(text);
    },
    reply: () => {},
  };
  let held = Buffer.alloc(0);
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length]!;
    // As in the inbox, bytes after the end belong to an earlier chunk.
    const all = Buffer.concat([held, bytes.subarray(at, at + size), Buffer.from('*$M3\r\n')]);
    const to = all.length - 6;
    held = Buffer.from(all.subarray(wire.parse(all, 0, to, sink), to));
    at += size;
  }
  expect(held).toHaveLength(0);
  return found;
}

test.each(SERVERS)('%s: every message is found, however the stream is split', (_, wire, opening, message) => {
  const lengths = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 20 });
  const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(lengths, sizes, (list, pieces) => {
      const ticks = list.map((length, at) => tick(SYMBOLS[at % SYMBOLS.length]!, length));
      const bytes = Buffer.concat([opening, ...ticks.map(message)]);
      expect(parseInPieces(wire, bytes, pieces)).toEqual({ ready: 1, payloads: ticks.map(({ payload }) => payload) });
    }),
  );
});

test('a refused MQTT subscription and an error of Redis are complaints', () => {
  const complaints: string[] = [];
  const sink = { ready() {}, message() {}, reply() {}, complaint: (text: string) => complaints.push(text) };
  const refused = Buffer.from([0x90, 4, 0, 1, 0, 0x80]);
  mqttProtocol(1).reader(SYMBOLS).parse(refused, 0, refused.length, sink);
  const error = Buffer.from('-ERR no such command\r\n');
  redisProtocol(1).feeder.parse(error, 0, error.length, sink);
  expect(complaints).toEqual(['packet of type 9: refused', 'ERR no such command']);
});
