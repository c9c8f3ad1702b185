// The part of the WebSocket interface that the client uses, and the choice of an implementation.

/** The members of a WebSocket that the client uses. The classes of browsers, Bun, Deno, Node 22 and the `ws` package fit. */
export interface WebSocketLike {
  /** 1 while messages can be sent. */
  readonly readyState: number;
  /** Sends a text message. */
  send(text: string): void;
  /** Starts the closing handshake. */
  close(code?: number, reason?: string): void;
  /** Called when the connection is open. */
  onopen: ((event: never) => void) | null;
  /** Called with each message; `event.data` is its text. */
  onmessage: ((event: never) => void) | null;
  /** Called when the connection has closed; `event.code` and `event.reason` say why. */
  onclose: ((event: never) => void) | null;
  /** Called on an error. `onclose` follows, except in Node 22 if the connection cannot be opened. */
  onerror: ((event: never) => void) | null;
}

/** A class that opens a WebSocket to a URL. The second argument, `{ headers }`, is passed only with a session outside of a browser. */
export type WebSocketConstructor = new (url: string, options?: never) => WebSocketLike;

/** The class passed as the `WebSocket` option, or else the runtime's own. Throws a TypeError if there is neither. */
export function chooseWebSocket(given: WebSocketConstructor | undefined): WebSocketConstructor {
  const socket = given ?? globalThis.WebSocket;
  if (socket) return socket;
  throw new TypeError(
    'Streams need a WebSocket, and this runtime has no global one. ' +
      'Use Node 22 or newer, Bun, Deno or a browser, or pass a class as the `WebSocket` option of the client.',
  );
}
