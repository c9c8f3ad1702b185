// What the service needs of an open stream: a WebSocket of Bun, or the response to a request for server-sent events.

export interface StreamSocket {
  send(text: string): unknown;
  /** Joins or leaves a topic of the hub. */
  subscribe(topic: string): void;
  unsubscribe(topic: string): void;
  /** Bytes that wait to be sent. */
  getBufferedAmount(): number;
  /** Sends everything that `work` sends in one write. */
  cork(work: () => void): unknown;
  /** Sends something that a client need not read. */
  ping(): unknown;
  close(code: number, reason: string): void;
  /** Ends the connection without a word. */
  terminate(): void;
}

/** Where sockets are subscribed to topics. */
export interface TopicServer {
  publish(topic: string, text: string): void;
  subscriberCount(topic: string): number;
}
