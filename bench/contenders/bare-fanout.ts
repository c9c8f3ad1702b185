// Lower bound for the fan-out: a Bun.serve that publishes prepared text to native topics. No keys, no engine, no store.
// It only appends the continuity fields that every reader of the benchmark requests.
import { startReplay } from './tick-replay.mjs';

const [, , ticksFile, stampFile, readers] = process.argv as [string, string, string, string, string];
const { epoch, join, leave, start } = startReplay({
  ticksFile,
  stampFile,
  readers: Number(readers),
  leaveOutMs: Number.POSITIVE_INFINITY,
});

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
      join();
    },
    close: leave,
  },
});
start(({ symbol, body }, seq, prev) => {
  server.publish(symbol, `${body},"seq":${seq},"prev":${prev},"epoch":"${epoch}"}`);
});
console.log(`serving at http://127.0.0.1:${server.port}`);
