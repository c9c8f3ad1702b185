// The protocol of Redis (RESP2) over TCP. A message is an array of three strings:
//   *3\r\n$7\r\nmessage\r\n$6\r\nEURUSD\r\n$94\r\n<payload>\r\n
// and the reply to a subscription one of two strings and the number of subscriptions.
import type { Protocol, Wire, WireSink } from './wire.ts';

const NEWLINE = 10;
const RETURN = 13;
const ZERO = 48;
const [ARRAY, STRING, ERROR, STATUS] = [...Buffer.from('*$-+')] as [number, number, number, number];
const LETTER_M = 0x6d;
const CRLF_BYTES = 2;

/** Where the string that starts at `at` has its bytes; `end` is −1 if it is incomplete. Reused: no object per message. */
const part = { start: 0, end: -1 };

function readString(bytes: Buffer, at: number, to: number): void {
  part.end = -1;
  if (at >= to) return;
  if (bytes[at] !== STRING) throw new Error(`Redis sent ${bytes.toString('latin1', at, Math.min(to, at + 40))}`);
  let length = 0;
  let position = at + 1;
  for (; position < to && bytes[position] !== RETURN; position++) length = length * 10 + bytes[position]! - ZERO;
  const start = position + CRLF_BYTES;
  if (start + length + CRLF_BYTES > to) return;
  part.start = start;
  part.end = start + length;
}

/** `subscriptions`: a reader is ready when it has this many. */
function parseRedis(bytes: Buffer, from: number, to: number, sink: WireSink, subscriptions: number): number {
  let at = from;
  for (;;) {
    const next =
      bytes[at] === ARRAY && at < to
        ? parseArray(bytes, at, to, sink, subscriptions)
        : parseSimple(bytes, at, to, sink);
    if (next < 0) return at;
    at = next;
  }
}

/** The end of the array; −1 if it is incomplete. */
function parseArray(bytes: Buffer, at: number, to: number, sink: WireSink, subscriptions: number): number {
  // Every array here has three parts: its header is *3\r\n.
  readString(bytes, at + 4, to);
  if (part.end < 0) return -1;
  const isMessage = bytes[part.start] === LETTER_M;
  readString(bytes, part.end + CRLF_BYTES, to);
  if (part.end < 0) return -1;
  const third = part.end + CRLF_BYTES;
  if (isMessage) {
    readString(bytes, third, to);
    if (part.end < 0) return -1;
    const { start, end } = part;
    sink.message(bytes, start, end);
    return end + CRLF_BYTES;
  }
  const newline = endOfLine(bytes, third, to);
  if (newline < 0) return -1;
  if (Number(bytes.toString('latin1', third + 1, newline - 1)) === subscriptions) sink.ready();
  return newline + 1;
}

/** A number, such as the answer to PUBLISH, a status or an error. */
function parseSimple(bytes: Buffer, at: number, to: number, sink: WireSink): number {
  const newline = endOfLine(bytes, at, to);
  if (newline < 0) return -1;
  if (bytes[at] === STATUS) sink.ready();
  else if (bytes[at] === ERROR) sink.complaint(bytes.toString('utf8', at + 1, newline - 1));
  return newline + 1;
}

function endOfLine(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) return at;
  return -1;
}

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;
const command = (...words: readonly string[]): string => `*${words.length}\r\n${words.map(bulk).join('')}`;

export function redisProtocol(port: number): Protocol {
  const wire = (opening: string, subscriptions: number): Wire => ({
    port,
    upgrade: null,
    opening,
    parse: (bytes, from, to, sink) => parseRedis(bytes, from, to, sink, subscriptions),
  });
  return {
    reader: (symbols) => wire(command('SUBSCRIBE', ...symbols), symbols.length),
    feeder: wire(command('PING'), 0),
    publish: (ticks) => Buffer.from(ticks.map(({ symbol, payload }) => command('PUBLISH', symbol, payload)).join('')),
  };
}
