// The opening handshake (RFC 6455 4.1), header by header, so that each can be omitted or changed.
import { countResponses, RawSocket } from '../raw-socket.fixture.ts';

/** The nonce of RFC 6455 1.3 and its answer. */
export const NONCE = 'dGhlIHNhbXBsZSBub25jZQ==';
export const ACCEPT = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

const HEADERS = {
  Host: 'localhost',
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': NONCE,
  'Sec-WebSocket-Version': '13',
};

/** Headers to add or replace; `null` omits one. */
export type Changes = Readonly<Record<string, string | null>>;

export function handshake(changes: Changes = {}, requestLine = 'GET /ws/market HTTP/1.1'): string {
  const headers = Object.entries({ ...HEADERS, ...changes }).filter(([, value]) => value !== null);
  return [requestLine, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}

export interface HandshakeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Reads the response to a handshake from the socket; bytes after it stay there. */
export async function readResponse(socket: RawSocket): Promise<HandshakeResponse> {
  await socket.until(({ text }) => countResponses(text) > 0);
  const end = socket.text.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`no answer to the handshake: ${JSON.stringify(socket.text)}`);
  const [statusLine = '', ...lines] = socket.text.slice(0, end).split('\r\n');
  const headers = new Headers(lines.map((line): [string, string] => [line.split(': ')[0]!, line.split(': ')[1] ?? '']));
  const length = Number(headers.get('content-length') ?? 0);
  const body = socket.text.slice(end + 4, end + 4 + length);
  socket.consume(end + 4 + length);
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}

/** Performs one handshake on a new connection and returns the response. */
export async function tryHandshake(url: string, bytes: string | Uint8Array): Promise<HandshakeResponse> {
  const socket = await RawSocket.connect(url);
  try {
    socket.write(bytes);
    return await readResponse(socket);
  } finally {
    socket.destroy();
  }
}
