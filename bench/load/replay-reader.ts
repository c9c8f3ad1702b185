// Reads a stream of a replay over a raw socket and counts its messages, from the first one to the last one of the range.
import { TEXT, textFrame, walkFrames } from './frames.ts';

export interface ReplayReading {
  readonly messages: number;
  readonly seconds: number;
}

const HEAD_END = '\r\n\r\n';
const MAX_SECONDS = 120;

const [port, key, id, symbol, wanted] = process.argv.slice(2) as [string, string, string, string, string];
const headers = { 'X-API-Key': key };
const play = (): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/api/replays/${id}`, {
    method: 'PATCH',
    headers,
    body: '{"state":"playing","speed":"max"}',
  });

const done = Promise.withResolvers<ReplayReading>();
let held: Buffer = Buffer.alloc(0);
let isUpgraded = false;
let isPlaying = false;
let messages = 0;
let startedAt = 0;

const onFrame = (opcode: number, bytes: Buffer, start: number, end: number): void => {
  if (opcode !== TEXT) return;
  if (!isPlaying) {
    isPlaying = bytes.toString('latin1', start, end).includes('"subscribed"');
    if (!isPlaying) return;
    startedAt = performance.now();
    void play();
    return;
  }
  if (++messages === Number(wanted)) done.resolve({ messages, seconds: (performance.now() - startedAt) / 1_000 });
};

const socket = await Bun.connect({
  hostname: '127.0.0.1',
  port: Number(port),
  socket: {
    data(own, chunk) {
      let bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      if (!isUpgraded) {
        const end = bytes.indexOf(HEAD_END);
        if (end < 0) {
          held = bytes;
          return;
        }
        if (!bytes.toString('latin1', 0, end).startsWith('HTTP/1.1 101 ')) done.reject(new Error('no upgrade'));
        isUpgraded = true;
        bytes = bytes.subarray(end + HEAD_END.length);
        own.write(textFrame(JSON.stringify({ action: 'subscribe', symbols: [symbol], heartbeat: 60 })));
      }
      held = Buffer.from(bytes.subarray(walkFrames(bytes, 0, bytes.length, onFrame)));
    },
    close: () => done.reject(new Error(`closed after ${messages} messages`)),
  },
});
socket.write(
  `GET /ws/market?replay=${id} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nUpgrade: websocket\r\n` +
    `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('benchmark-reader')}\r\n\r\n`,
);
const late = setTimeout(() => done.reject(new Error(`only ${messages} messages`)), MAX_SECONDS * 1_000);
const reading = await done.promise;
clearTimeout(late);
socket.terminate();
console.log(JSON.stringify(reading));
process.exit(0);
