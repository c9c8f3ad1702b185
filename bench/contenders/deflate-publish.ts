// Publishes one kind of message at a fixed rate to all clients, with or without per-message deflate.
import { readFileSync } from 'node:fs';
import type { DeflateSpec } from '../scenarios/deflate-messages.ts';

const STEP_MS = 10;

const { messages, perSecond, compressor, readers } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as DeflateSpec;
let present = 0;
let sent = 0;
let pending = 0;

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request, self) {
    return self.upgrade(request) ? undefined : new Response(null, { status: 426 });
  },
  websocket: {
    idleTimeout: 0,
    sendPings: false,
    perMessageDeflate: compressor === null ? false : { compress: compressor, decompress: false },
    backpressureLimit: 64 * 1024 * 1024,
    message(socket) {
      socket.subscribe('all');
      socket.send('{"event":"subscribed"}', false);
      present++;
    },
    close() {
      present--;
    },
  },
});
setInterval(() => {
  if (present < readers) return;
  pending += (perSecond * STEP_MS) / 1000;
  for (; pending >= 1; pending--) server.publish('all', messages[sent++ % messages.length]!, compressor !== null);
}, STEP_MS);
console.log(`serving at http://127.0.0.1:${server.port}`);
