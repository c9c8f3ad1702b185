// The protocol of NATS. Readers use its WebSocket listener, whose frames contain whole messages; the feeder uses TCP.
//   MSG <subject> <subscription> <bytes>\r\n<payload>\r\n
import type { Protocol, Wire, WireSink } from './wire.ts';

const CONNECT = 'CONNECT {"verbose":false,"pedantic":false,"lang":"bench","version":"1","protocol":0}\r\n';
const PONG = Buffer.from('PONG\r\n');
const NEWLINE = 10;
const SPACE = 32;
const ZERO = 48;
const [LETTER_I, LETTER_M, LETTER_O, LETTER_P] = [...Buffer.from('IMOP')] as [number, number, number, number];
const CRLF_BYTES = 2;

function parseNats(bytes: Buffer, from: number, to: number, sink: WireSink): number {
  let at = from;
  for (;;) {
    const newline = endOfLine(bytes, at, to);
    if (newline < 0) return at;
    const next = newline + 1;
    if (bytes[at] !== LETTER_M) {
      parseControl(bytes, at, newline, sink);
      at = next;
      continue;
    }
    const end = next + lastNumber(bytes, newline - 2);
    if (end + CRLF_BYTES > to) return at;
    sink.message(bytes, next, end);
    at = end + CRLF_BYTES;
  }
}

function parseControl(bytes: Buffer, at: number, newline: number, sink: WireSink): void {
  if (bytes[at] === LETTER_I) return;
  if (bytes[at] !== LETTER_P) sink.complaint(bytes.toString('utf8', at, newline - 1));
  else if (bytes[at + 1] === LETTER_O) sink.ready();
  else sink.reply(PONG);
}

/** The lines before messages are short: a loop is faster than a call of indexOf. */
function endOfLine(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) return at;
  return -1;
}

/** The number whose last digit is at `last`. */
function lastNumber(bytes: Buffer, last: number): number {
  let value = 0;
  for (let at = last, unit = 1; bytes[at] !== SPACE; at--, unit *= 10) value += (bytes[at]! - ZERO) * unit;
  return value;
}

export function natsProtocol(port: number, websocketPort: number): Protocol {
  const subscriptions = (symbols: readonly string[]): string =>
    symbols.map((symbol, index) => `SUB ${symbol} ${index + 1}\r\n`).join('');
  const wire = (over: Pick<Wire, 'port' | 'upgrade'>, opening: string): Wire => ({
    ...over,
    opening,
    parse: parseNats,
  });
  return {
    reader: (symbols) =>
      wire(
        { port: websocketPort, upgrade: { path: '/', key: '' } },
        // The answer to the ping shows that the subscriptions before it are in place.
        `${CONNECT}${subscriptions(symbols)}PING\r\n`,
      ),
    feeder: wire({ port, upgrade: null }, `${CONNECT}PING\r\n`),
    publish: (ticks) =>
      Buffer.from(ticks.map(({ symbol, payload }) => `PUB ${symbol} ${payload.length}\r\n${payload}\r\n`).join('')),
  };
}
