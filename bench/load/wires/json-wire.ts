// JSON over WebSocket, as spoken by Tickwire, the bare server and the C server. The feeder sends the ticks of a write as the lines of
// one text frame: quotes for `/ws/ingest`, finished messages for the others.
import { textFrame } from '../frames.ts';
import type { Protocol, Tick, Wire, WireSink } from './wire.ts';

const LETTER_E = 0x65;
const SUBSCRIBED = '{"event":"subscribed"';
const INGESTED = '{"event":"ingested"';
const NONE_REJECTED = '"rejected_count":0}';

const startsWith = (bytes: Buffer, start: number, end: number, text: string): boolean =>
  bytes.toString('latin1', start, Math.min(end, start + text.length)) === text;

function parseMessage(bytes: Buffer, start: number, end: number, sink: WireSink): number {
  // The third byte distinguishes a notice ({"event"…) from a tick ({"symbol"…).
  if (bytes[start + 2] !== LETTER_E) sink.message(bytes, start, end);
  else if (startsWith(bytes, start, end, SUBSCRIBED)) sink.ready();
  else sink.complaint(bytes.toString('utf8', start, end));
  return end;
}

/** Answers to pushed lines; each must say that all of them were accepted. */
function parseAnswer(bytes: Buffer, start: number, end: number, sink: WireSink): number {
  const isAccepted =
    startsWith(bytes, start, end, INGESTED) && startsWith(bytes, end - NONE_REJECTED.length, end, NONE_REJECTED);
  if (!isAccepted) sink.complaint(bytes.toString('utf8', start, end));
  return end;
}

const readerOf = (port: number, path: string, key: string, symbols: readonly string[]): Wire => ({
  port,
  upgrade: { path, key },
  opening: JSON.stringify({ action: 'subscribe', symbols }),
  parse: parseMessage,
});

const feederOf = (port: number, path: string, key: string): Wire => ({
  port,
  upgrade: { path, key },
  opening: null,
  parse: parseAnswer,
});

const framed = (ticks: readonly Tick[], text: (tick: Tick) => string): Buffer => textFrame(ticks.map(text).join('\n'));

/** The key needs the scopes `read` and `ingest`. */
export const tickwireProtocol = (port: number, key: string): Protocol => ({
  reader: (symbols) => readerOf(port, '/ws/market', key, symbols),
  feeder: feederOf(port, '/ws/ingest', key),
  publish: (ticks) => framed(ticks, ({ line }) => line),
});

/** A relay publishes each line that its feeder sends, unchanged. */
export const relayProtocol = (port: number): Protocol => ({
  reader: (symbols) => readerOf(port, '/', '', symbols),
  feeder: feederOf(port, '/feed', ''),
  publish: (ticks) => framed(ticks, ({ payload }) => payload),
});
