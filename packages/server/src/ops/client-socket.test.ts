// A WebSocket through a proxy: the proxy opens the connection, by name.
import { expect, test } from 'bun:test';
import { connect, createServer, type Socket } from 'node:net';
import { openClientSocket } from './client-socket.ts';

test('goes through the proxy of its protocol, and past it to an excepted host', async () => {
  using target = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: { message: (socket, text) => void socket.send(text) },
  });
  const asked: string[] = [];
  const proxy = createServer((client) => {
    client.once('data', (head: Buffer) => {
      asked.push(head.toString().split('\r\n')[0]!);
      const server: Socket = connect(target.port!, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(server).pipe(client);
      });
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as { port: number };
  const echo = async (host: string, except: string): Promise<string> => {
    const socket = openClientSocket(new URL(`ws://${host}:${target.port}/`), {
      http: `http://127.0.0.1:${port}`,
      except,
    });
    socket.onopen = () => socket.send('hello');
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    socket.onmessage = ({ data }) => resolve(String(data));
    socket.onerror = (event) => reject(new Error((event as { message?: string }).message));
    return promise.finally(() => socket.terminate());
  };
  try {
    expect(await echo('venue.example', '')).toBe('hello');
    expect(await echo('127.0.0.1', '127.0.0.1')).toBe('hello');
    expect(asked).toEqual([`CONNECT venue.example:${target.port} HTTP/1.1`]);
  } finally {
    proxy.close();
  }
});
