// What the client needs of a WebSocket, and where it gets one.

/** What is used of a WebSocket; the browser's, Bun's, Node's and the `ws` package's all fit. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
}
export type SocketConstructor = new (url: string) => SocketLike;

let fallback: SocketConstructor | undefined;

/** The entry for Node brings its own: Node 20 has no WebSocket. */
export function useWhereNoneIsGlobal(socket: SocketConstructor): void {
  fallback = socket;
}

export function chooseSocket(given: SocketConstructor | undefined): SocketConstructor {
  const socket = given ?? globalThis.WebSocket ?? fallback;
  if (socket) return socket;
  throw new TypeError(
    'This runtime has no WebSocket: pass one as the `WebSocket` option of the client (that of the `ws` package fits)',
  );
}
