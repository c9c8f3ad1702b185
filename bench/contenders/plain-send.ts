// The cost of the kernel alone: the bytes of a step are built once and sent to every reader with one call each, by a server that
// implements only the WebSocket handshake. No server can send to that many sockets from one core faster.
import type { Socket } from 'bun';
import { startReplay } from './tick-replay.mjs';

const [, , ticksFile, stampFile, readers] = process.argv as [string, string, string, string, string];
const { epoch, join, leave, start } = startReplay({
  ticksFile,
  stampFile,
  readers: Number(readers),
  leaveOutMs: Number.POSITIVE_INFINITY,
});

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
const MOST_BYTES = 1 << 20;

/** Connections that have upgraded and subscribed. */
const sockets = new Map<Socket, 'upgraded' | 'subscribed'>();

/** An unmasked text frame. */
function frame(text: string): Buffer {
  const { length } = text;
  const head = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), Buffer.from(text)]);
}

const server = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    data(socket) {
      if (sockets.get(socket) === 'subscribed') return;
      if (sockets.has(socket)) {
        socket.write(frame('{"event":"subscribed","symbols":[]}'));
        sockets.set(socket, 'subscribed');
        join();
        return;
      }
      socket.write(SWITCHING);
      sockets.set(socket, 'upgraded');
    },
    close(socket) {
      if (sockets.get(socket) === 'subscribed') leave();
      sockets.delete(socket);
    },
    error() {},
  },
});

const step = Buffer.alloc(MOST_BYTES);
let bytes = 0;
const send = (): void => {
  const chunk = step.subarray(0, bytes);
  for (const socket of sockets.keys()) socket.write(chunk);
  bytes = 0;
};
start(({ body }, seq, prev) => {
  // After the last tick of the step.
  if (bytes === 0) queueMicrotask(send);
  bytes += frame(`${body},"seq":${seq},"prev":${prev},"epoch":"${epoch}"}`).copy(step, bytes);
});
console.log(`serving at http://127.0.0.1:${server.port}`);
