// Lower bound for the fan-out: a Bun.serve that publishes prepared text to native topics. No keys, no engine, no store. It replays
// recorded ticks at their rate, in a loop, in steps as long as those of our simulated feed, and appends the continuity fields that
// every reader of the benchmark requests. It starts when all readers are connected.
import { readFileSync } from 'node:fs';
import type { RecordedTicks } from '../scenarios/fanout-ticks.ts';

const [, , ticksFile, readers] = process.argv as [string, string, string, string];
const { spanMs, stepMs, ticks } = JSON.parse(readFileSync(ticksFile, 'utf8')) as RecordedTicks;
const last = new Map<string, number>();
let present = 0;
let seq = 0;
let at = 0;
let began = 0;

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
      present++;
      at = 0;
      began = performance.now();
    },
    close() {
      present--;
    },
  },
});
setInterval(() => {
  if (present < Number(readers)) return;
  const elapsed = performance.now() - began;
  for (; at < ticks.length && ticks[at]!.offset < elapsed; at++) {
    const { symbol, body } = ticks[at]!;
    seq++;
    server.publish(symbol, `${body},"seq":${seq},"prev":${last.get(symbol) ?? 0},"epoch":"benchmark000"}`);
    last.set(symbol, seq);
  }
  if (at < ticks.length) return;
  at = 0;
  began += spanMs;
}, stepMs);
console.log(`serving at http://127.0.0.1:${server.port}`);
