// Lower bound for Bun: a Bun.serve that publishes each line it gets from the feeder to a native topic. No keys, no engine, no store.

interface Connection {
  readonly isFeeder: boolean;
}

/** Each line starts with {"symbol":" */
const SYMBOL_AT = 11;

const server = Bun.serve<Connection>({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request, self) {
    const data = { isFeeder: new URL(request.url).pathname === '/feed' };
    return self.upgrade(request, { data }) ? undefined : new Response(null, { status: 426 });
  },
  websocket: {
    idleTimeout: 0,
    sendPings: false,
    perMessageDeflate: false,
    backpressureLimit: 64 * 1024 * 1024,
    message(socket, message) {
      const text = String(message);
      if (socket.data.isFeeder) {
        for (const line of text.split('\n')) server.publish(line.slice(SYMBOL_AT, line.indexOf('"', SYMBOL_AT)), line);
        return;
      }
      const { symbols } = JSON.parse(text) as { symbols: string[] };
      for (const symbol of symbols) socket.subscribe(symbol);
      socket.send(JSON.stringify({ event: 'subscribed', symbols }));
    },
  },
});
console.log(`serving at http://127.0.0.1:${server.port}`);
