// The opening handshake (RFC 6455 4.1), line by line, so that each can be left out or said wrong.
import { countAnswers, RawSocket } from '../../testing/raw-socket.fixture.ts';

/** The nonce of RFC 6455 1.3 and the answer it gives there. */
export const NONCE = 'dGhlIHNhbXBsZSBub25jZQ==';
export const ACCEPT = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

const HEADERS = {
  Host: 'localhost',
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': NONCE,
  'Sec-WebSocket-Version': '13',
};

/** Headers to add or to replace; null leaves one out. */
export type Changes = Readonly<Record<string, string | null>>;

export function handshake(changes: Changes = {}, requestLine = 'GET /ws/market HTTP/1.1'): string {
  const headers = Object.entries({ ...HEADERS, ...changes }).filter(([, value]) => value !== null);
  return [requestLine, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Reads the answer to a handshake off the socket; what follows it stays there. */
export async function reply(socket: RawSocket): Promise<Reply> {
  await socket.until(({ text }) => countAnswers(text) > 0);
  const end = socket.text.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`no answer to the handshake: ${JSON.stringify(socket.text)}`);
  const [statusLine = '', ...lines] = socket.text.slice(0, end).split('\r\n');
  const headers = new Headers(lines.map((line): [string, string] => [line.split(': ')[0]!, line.split(': ')[1] ?? '']));
  const length = Number(headers.get('content-length') ?? 0);
  const body = socket.text.slice(end + 4, end + 4 + length);
  socket.consume(end + 4 + length);
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}

/** One handshake on a connection of its own, and its answer. */
export async function knock(url: string, bytes: string | Uint8Array): Promise<Reply> {
  const socket = await RawSocket.connect(url);
  try {
    socket.write(bytes);
    return await reply(socket);
  } finally {
    socket.destroy();
  }
}
