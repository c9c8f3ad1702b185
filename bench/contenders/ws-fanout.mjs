// The typical fan-out with `ws` on Node: for every tick, stringify and send to every client of its symbol.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { startReplay } from './tick-replay.mjs';

const [, , ticksFile, stampFile, readers, wsFolder] = process.argv;
const { WebSocketServer, WebSocket } = createRequire(import.meta.url)(wsFolder);
// Skips messages it cannot send in time instead of queueing them without a bound. Kinder than reality.
const { epoch, join, leave, start } = startReplay({ ticksFile, stampFile, readers: Number(readers), leaveOutMs: 40 });

const http = createServer();
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
const clients = new Map();
server.on('connection', (client) => {
  client.on('message', (message) => {
    const { symbols } = JSON.parse(message);
    for (const symbol of symbols) {
      if (!clients.has(symbol)) clients.set(symbol, new Set());
      clients.get(symbol).add(client);
    }
    client.send(JSON.stringify({ event: 'subscribed', symbols }));
    join();
  });
  // A close event follows every error.
  client.on('error', () => {});
  client.on('close', () => {
    for (const set of clients.values()) set.delete(client);
    leave();
  });
});

const parsed = new Map();
start((tick, seq, prev) => {
  if (!parsed.has(tick)) parsed.set(tick, JSON.parse(`${tick.body}}`));
  const fields = parsed.get(tick);
  for (const client of clients.get(tick.symbol) ?? []) {
    if (client.readyState === WebSocket.OPEN) client.send(JSON.stringify({ ...fields, seq, prev, epoch }));
  }
});

http.listen(0, '127.0.0.1', () => console.log(`serving at http://127.0.0.1:${http.address().port}`));
