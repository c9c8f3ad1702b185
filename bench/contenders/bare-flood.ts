// Publishes recorded ticks as fast as the readers accept them, to measure their capacity. Otherwise the same as bare-fanout.ts.
import { readFileSync } from 'node:fs';
import type { ServerWebSocket } from 'bun';
import type { ReplayedTick } from './tick-replay.mjs';

/** Publishing pauses while a reader has more than this buffered. */
const AHEAD_BYTES = 64 * 1024;

const [, , ticksFile, readers] = process.argv as [string, string, string, string];
const { stepMs, ticks } = JSON.parse(readFileSync(ticksFile, 'utf8')) as {
  stepMs: number;
  ticks: readonly ReplayedTick[];
};
/** Ticks per batch: as many as a step of our feed has at 1,000 ticks/s. */
const BURST = stepMs;
const sockets = new Set<ServerWebSocket<unknown>>();
let seq = 0;

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request, self) {
    return self.upgrade(request) ? undefined : new Response(null, { status: 426 });
  },
  websocket: {
    idleTimeout: 0,
    sendPings: false,
    perMessageDeflate: false,
    backpressureLimit: 64 * 1024 * 1024,
    message(socket, message) {
      const { symbols } = JSON.parse(String(message)) as { symbols: string[] };
      for (const symbol of symbols) socket.subscribe(symbol);
      socket.send(JSON.stringify({ event: 'subscribed', symbols }));
      sockets.add(socket);
      if (sockets.size === Number(readers)) setImmediate(flood);
    },
    close: (socket) => {
      sockets.delete(socket);
    },
  },
});

function flood(): void {
  if (sockets.size < Number(readers)) return;
  if (![...sockets].some((socket) => socket.getBufferedAmount() > AHEAD_BYTES)) {
    for (let count = 0; count < BURST; count++) {
      const { symbol, body } = ticks[seq++ % ticks.length]!;
      server.publish(symbol, `${body},"seq":${seq},"prev":0,"epoch":"benchmark000"}`);
    }
  }
  setImmediate(flood);
}
console.log(`serving at http://127.0.0.1:${server.port}`);
