// MQTT 3.1.1 over TCP with QoS 0, as spoken by Mosquitto. A packet is its type, the length of the rest, and the rest; that of PUBLISH
// is the length of the topic in two bytes, the topic and the payload.
import type { Protocol, Wire, WireSink } from './wire.ts';

const CONNECT = 1;
const CONNACK = 2;
const PUBLISH = 3;
const SUBSCRIBE = 8;
const SUBSCRIBE_FLAGS = 2;
const SUBACK = 9;
const PROTOCOL_LEVEL = 4;
const CLEAN_SESSION = 2;
const REFUSED = 0x80;
const MORE = 0x80;
const LOW_BITS = 0x7f;

/** `confirms`: the type of packet that shows that the connection is ready. */
function parseMqtt(bytes: Buffer, from: number, to: number, sink: WireSink, confirms: number): number {
  let at = from;
  for (;;) {
    let length = 0;
    let start = at + 1;
    for (let shift = 0; ; shift += 7) {
      if (start >= to) return at;
      const byte = bytes[start++]!;
      length |= (byte & LOW_BITS) << shift;
      if ((byte & MORE) === 0) break;
    }
    const end = start + length;
    if (end > to) return at;
    const type = bytes[at]! >> 4;
    if (type === PUBLISH) sink.message(bytes, start + 2 + bytes[start]! * 256 + bytes[start + 1]!, end);
    else parseAnswer(bytes, type, start, end, sink, confirms);
    at = end;
  }
}

function parseAnswer(bytes: Buffer, type: number, start: number, end: number, sink: WireSink, confirms: number): void {
  const isRefused =
    type === CONNACK ? bytes[start + 1] !== 0 : bytes.subarray(start + 2, end).some((code) => code === REFUSED);
  if (isRefused) sink.complaint(`packet of type ${type}: refused`);
  else if (type === confirms) sink.ready();
}

function packet(type: number, flags: number, rest: Buffer): Buffer {
  const size: number[] = [];
  let left = rest.length;
  do {
    const more = left > LOW_BITS ? MORE : 0;
    size.push((left & LOW_BITS) | more);
    left >>= 7;
  } while (left > 0);
  return Buffer.concat([Buffer.from([(type << 4) | flags, ...size]), rest]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
}

/** Without keep-alive, and with an empty name: the broker chooses one. */
const connect = packet(
  CONNECT,
  0,
  Buffer.concat([text('MQTT'), Buffer.from([PROTOCOL_LEVEL, CLEAN_SESSION, 0, 0]), text('')]),
);

const subscribe = (symbols: readonly string[]): Buffer =>
  packet(
    SUBSCRIBE,
    SUBSCRIBE_FLAGS,
    Buffer.concat([Buffer.from([0, 1]), ...symbols.flatMap((symbol) => [text(symbol), Buffer.from([0])])]),
  );

export function mqttProtocol(port: number): Protocol {
  const wire = (opening: Buffer, confirms: number): Wire => ({
    port,
    upgrade: null,
    opening,
    parse: (bytes, from, to, sink) => parseMqtt(bytes, from, to, sink, confirms),
  });
  return {
    // A client need not wait for the answer to CONNECT.
    reader: (symbols) => wire(Buffer.concat([connect, subscribe(symbols)]), SUBACK),
    feeder: wire(connect, CONNACK),
    publish: (ticks) =>
      Buffer.concat(
        ticks.map(({ symbol, payload }) => packet(PUBLISH, 0, Buffer.concat([text(symbol), Buffer.from(payload)]))),
      ),
  };
}
