// Topics of a gateway whose connections share a port with those of others: the topics of the runtime belong to the port.
import type { Connection, Socket } from './connection.ts';
import type { StreamSocket, TopicServer } from './stream-socket.ts';

export class LocalTopics implements TopicServer {
  readonly #sockets = new Map<string, Set<StreamSocket>>();
  readonly #onSend: (connection: Connection) => void;

  /** `onSend`: called before a message is sent to a connection. */
  constructor(onSend: (connection: Connection) => void = () => {}) {
    this.#onSend = onSend;
  }

  publish(topic: string, text: string): void {
    for (const socket of this.#sockets.get(topic) ?? []) socket.send(text);
  }

  subscriberCount(topic: string): number {
    return this.#sockets.get(topic)?.size ?? 0;
  }

  /** A socket of the port that joins these topics. */
  socket(socket: Socket): StreamSocket {
    const own: StreamSocket = {
      send: (text) => {
        this.#onSend(socket.data);
        return socket.send(text);
      },
      subscribe: (topic) => this.#sockets.set(topic, (this.#sockets.get(topic) ?? new Set()).add(own)),
      unsubscribe: (topic) => {
        const sockets = this.#sockets.get(topic);
        if (sockets?.delete(own) && sockets.size === 0) this.#sockets.delete(topic);
      },
      getBufferedAmount: () => socket.getBufferedAmount(),
      cork: (work) => socket.cork(work),
      ping: () => socket.ping(),
      close: (code, reason) => socket.close(code, reason),
      terminate: () => socket.terminate(),
    };
    return own;
  }
}
