// Topics of a gateway whose connections share a port with those of others: the topics of the runtime belong to the port. What is
// published in one go reaches a socket in one write, because a system call costs as much as making a message.
import type { Connection, Socket } from './connection.ts';
import type { StreamSocket, TopicServer } from './stream-socket.ts';

export class LocalTopics implements TopicServer {
  readonly #sockets = new Map<string, Set<LocalSocket>>();
  readonly #onSend: (connection: Connection) => void;

  /** `onSend`: called before a message is sent to a connection. */
  constructor(onSend: (connection: Connection) => void = () => {}) {
    this.#onSend = onSend;
  }

  publish(topic: string, text: string): void {
    for (const socket of this.#sockets.get(topic) ?? []) socket.sendSoon(text);
  }

  subscriberCount(topic: string): number {
    return this.#sockets.get(topic)?.size ?? 0;
  }

  /** A socket of the port that joins these topics. */
  socket(socket: Socket): StreamSocket {
    return new LocalSocket(socket, this.#sockets, this.#onSend);
  }
}

class LocalSocket implements StreamSocket {
  readonly #socket: Socket;
  readonly #sockets: Map<string, Set<LocalSocket>>;
  readonly #onSend: (connection: Connection) => void;
  /** Messages that are sent when the current work ends. */
  #waiting: string[] = [];

  constructor(socket: Socket, sockets: Map<string, Set<LocalSocket>>, onSend: (connection: Connection) => void) {
    this.#socket = socket;
    this.#sockets = sockets;
    this.#onSend = onSend;
  }

  sendSoon(text: string): void {
    this.#onSend(this.#socket.data);
    if (this.#waiting.push(text) === 1) queueMicrotask(() => this.#flush());
  }

  send(text: string): unknown {
    this.#onSend(this.#socket.data);
    this.#flush();
    return this.#socket.send(text);
  }

  subscribe(topic: string): void {
    this.#sockets.set(topic, (this.#sockets.get(topic) ?? new Set()).add(this));
  }

  unsubscribe(topic: string): void {
    const sockets = this.#sockets.get(topic);
    if (sockets?.delete(this) && sockets.size === 0) this.#sockets.delete(topic);
  }

  getBufferedAmount(): number {
    this.#flush();
    return this.#socket.getBufferedAmount();
  }

  cork(work: () => void): unknown {
    this.#flush();
    return this.#socket.cork(work);
  }

  ping(): unknown {
    return this.#socket.ping();
  }

  close(code: number, reason: string): void {
    this.#flush();
    this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const texts = this.#waiting;
    this.#waiting = [];
    this.#socket.cork(() => {
      for (const text of texts) this.#socket.send(text);
    });
  }
}
