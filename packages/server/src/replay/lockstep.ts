// Readers in lockstep: after each time at which one of them was sent something, the clock waits until it has asked for the next.
// A new reader first subscribes: the clock waits for it from the beginning.
import { iso, type LockstepNotice, NEXT_ACTION } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import type { WebSocketHandler } from 'bun';
import type { Connection, Socket } from '../ws/connection.ts';

/** A reader that has not asked for this long is closed: others may use the session. */
export const READER_MS = 5 * MINUTE_MS;

interface Reader {
  readonly connection: Connection;
  /** Whether the clock waits for it. */
  isAwaited: boolean;
  /** Since when. */
  since: number;
  /** Clock at the end of the range, once the reader was told. */
  endedAt: number | null;
}

export interface LockstepOptions {
  /** Sends what is still delayed. */
  readonly flush: () => void;
  readonly now: () => number;
}

export class Lockstep {
  readonly #options: LockstepOptions;
  readonly #readers = new Map<Connection, Reader>();
  /** Readers that were sent something at the time that is played; `null` between two times. */
  #sent: Set<Reader> | null = null;
  #wake: () => void = () => {};

  constructor(options: LockstepOptions) {
    this.#options = options;
  }

  get isActive(): boolean {
    return this.#readers.size > 0;
  }

  /** Whether the clock waits for a reader. */
  get isWaiting(): boolean {
    for (const { isAwaited, connection } of this.#readers.values()) if (isAwaited && !connection.closed) return true;
    return false;
  }

  /** Resolves when a reader has asked or gone, with `interrupt`, or after a time. */
  answered(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = done;
    });
  }

  interrupt(): void {
    this.#wake();
  }

  /** The handler of connections in lockstep. */
  handlerOf(usual: WebSocketHandler<Connection>): WebSocketHandler<Connection> {
    return {
      ...usual,
      open: (socket) => {
        const connection = socket.data;
        this.#readers.set(connection, { connection, isAwaited: true, since: this.#options.now(), endedAt: null });
        usual.open?.(socket);
      },
      message: (socket, message) => {
        if (!this.#asks(socket, message)) usual.message?.(socket, message);
      },
      close: (socket, code, reason) => {
        this.#readers.delete(socket.data);
        this.#wake();
        usual.close?.(socket, code, reason);
      },
    };
  }

  /** A message is sent to a connection. */
  noteSent(connection: Connection): void {
    if (!this.#sent) return;
    const reader = this.#readers.get(connection);
    if (reader) this.#sent.add(reader);
  }

  /** Publishes the events of a time, in one write for each reader, and then waits for those that were sent some. */
  step(clock: number, publish: () => void): void {
    if (this.#readers.size === 0) {
      publish();
      return;
    }
    this.#sent = new Set();
    const work = [...this.#readers.keys()].reduce<() => void>(
      (inner, { socket }) =>
        () =>
          void socket.cork(inner),
      () => this.#publish(clock, publish),
    );
    work();
  }

  /** The clock is at the end of the range. */
  end(clock: number): void {
    for (const reader of this.#readers.values()) {
      if (reader.endedAt !== null || reader.isAwaited) continue;
      reader.endedAt = clock;
      notify(reader, { event: 'ended', clock: iso(clock) });
    }
  }

  /** Closes readers that have not asked for long. */
  closeSilent(): void {
    const oldest = this.#options.now() - READER_MS;
    for (const { connection, isAwaited, since } of [...this.#readers.values()])
      if (isAwaited && since < oldest)
        connection.closeWithError('too_slow', 'The next time was not asked for within 5 minutes.');
  }

  #publish(clock: number, publish: () => void): void {
    publish();
    this.#options.flush();
    const sent = this.#sent ?? [];
    this.#sent = null;
    for (const reader of sent) {
      if (reader.connection.closed) continue;
      reader.isAwaited = true;
      reader.since = this.#options.now();
      notify(reader, { event: 'waiting', clock: iso(clock) });
    }
  }

  /** Handles a message that asks for the next time. */
  #asks({ data: connection }: Socket, message: string | Buffer): boolean {
    if (typeof message !== 'string' || !isNext(message)) return false;
    const reader = this.#readers.get(connection);
    if (!reader || connection.closed) return true;
    connection.markAlive(this.#options.now());
    if (reader.endedAt !== null) {
      notify(reader, { event: 'ended', clock: iso(reader.endedAt) });
      return true;
    }
    if (!reader.isAwaited) {
      connection.sendError(
        'invalid_message',
        'The clock does not wait: the last next was not answered yet.',
        undefined,
      );
      return true;
    }
    reader.isAwaited = false;
    this.#wake();
    return true;
  }
}

function notify({ connection }: Reader, notice: LockstepNotice): void {
  connection.socket.send(JSON.stringify(notice));
}

/** Other messages are longer, or have another action. */
function isNext(message: string): boolean {
  if (!message.includes(NEXT_ACTION) || message.length > 64) return false;
  try {
    const { action } = JSON.parse(message) as { readonly action?: unknown };
    return action === NEXT_ACTION;
  } catch {
    return false;
  }
}
