// Adds TLS in front of a PostgreSQL server without it, as the server itself would: the client requests TLS in plain
// text, is answered yes, and both continue encrypted. Uses a temporary certificate.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

export interface TlsProxy {
  /** Without parameters. */
  readonly url: string;
  /** Self-signed certificate for `localhost`. */
  readonly certificate: string;
  stop(): Promise<void>;
}

export async function tlsProxy(target: string): Promise<TlsProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'tickwire-tls-'));
  const [certificate, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const made = Bun.spawnSync([
    ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', keyFile, '-out', certificate],
  ]);
  if (!made.success) throw new Error(made.stderr.toString());
  const to = new URL(target);
  const sockets = new Set<Socket>();
  const pipeBoth = (one: Socket, other: Socket): void => {
    for (const [from, into] of [
      [one, other],
      [other, one],
    ] as const) {
      sockets.add(from);
      from.pipe(into);
      from.on('error', () => into.destroy());
      from.on('close', () => into.destroy());
    }
  };
  // The TLS side: decrypts and forwards to the server in plain text.
  const inner = createTlsServer({ cert: readFileSync(certificate), key: readFileSync(keyFile) }, (socket) =>
    pipeBoth(socket, connect(Number(to.port) || 5432, to.hostname)),
  );
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  const innerPort = (inner.address() as { port: number }).port;
  const outer = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      if (!SSL_REQUEST.equals(Buffer.from(bytes))) {
        socket.destroy();
        return;
      }
      pipeBoth(socket, connect(innerPort, '127.0.0.1'));
      socket.write('S');
    });
  });
  await new Promise<void>((resolve) => outer.listen(0, 'localhost', resolve));
  const url = new URL(target);
  url.hostname = 'localhost';
  url.port = String((outer.address() as { port: number }).port);
  return {
    url: url.href,
    certificate,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([outer, inner].map((each) => new Promise((resolve) => each.close(resolve))));
      rmSync(folder, { recursive: true });
    },
  };
}
