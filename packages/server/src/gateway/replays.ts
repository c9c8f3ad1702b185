// Readers that come back: what they missed is sent again, as fast as they take it, and then they go on live. A replay never
// buffers more than a little for its reader, however much there is to replay; while it runs, what happens is waiting for it
// in the ring or in the store, not in memory of its own.
import type { Connection } from './connection.ts';
import type { Tap } from './line.ts';

/** Bytes that may wait in the socket of a reader before its replay pauses, and bytes of one turn. */
const BUFFERED_BYTES = 64 * 1024;
export const TURN_BYTES = 32 * 1024;
/** Time that replays may take together before the others get their turn: many readers may come back at once. */
const TURN_MS = 2;

/** `more`: there is more to send at once. `wait`: something is being fetched, `run` is called when it is there. */
export type Progress = 'more' | 'wait' | 'done';

export interface Replay {
  readonly connection: Connection;
  /** What it brings up to date; lines the reader drops meanwhile are taken off `connection.held`. */
  readonly keys: readonly string[];
  /** Sends about TURN_BYTES. */
  step(): Progress;
}

export class Replays {
  readonly #active = new Set<Replay>();
  readonly #settle: (connection: Connection, tap: Tap) => void;
  readonly #onFault: (connection: Connection, error: unknown) => void;
  #scheduled = false;

  /** `settle` lets a line come live. */
  constructor(
    settle: (connection: Connection, tap: Tap) => void,
    onFault: (connection: Connection, error: unknown) => void,
  ) {
    this.#settle = settle;
    this.#onFault = onFault;
  }

  get active(): number {
    return this.#active.size;
  }

  start(replay: Replay): void {
    const { connection, keys } = replay;
    if (keys.length > 0) connection.held ??= new Map();
    for (const key of keys) connection.held!.set(key, replay);
    this.#active.add(replay);
    this.run();
  }

  /** Goes on with those whose readers have room, in the next turn of the loop, and again while one has more to send. */
  readonly run = (): void => {
    if (this.#scheduled || this.#active.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#turns()) this.run();
    });
  };

  /** Whether there is more that could be sent at once. */
  #turns(): boolean {
    const until = performance.now() + TURN_MS;
    let more = false;
    for (const replay of [...this.#active]) {
      if (performance.now() >= until) return true;
      if (!this.#turn(replay)) continue;
      more = true;
      // To the end of the queue, so that each gets its turn.
      this.#active.delete(replay);
      this.#active.add(replay);
    }
    return more;
  }

  /** Whether it could go on at once. A reader without room is looked at again with the next sweep. */
  #turn(replay: Replay): boolean {
    const { connection } = replay;
    if (connection.closed) {
      this.#active.delete(replay);
      return false;
    }
    if (connection.socket.getBufferedAmount() >= BUFFERED_BYTES) return false;
    let progress: Progress = 'more';
    try {
      connection.socket.cork(() => {
        progress = replay.step();
      });
    } catch (error) {
      this.#active.delete(replay);
      this.#onFault(connection, error);
      return false;
    }
    // The callback has changed it, which the compiler cannot see.
    if ((progress as Progress) === 'done') this.#finish(replay);
    return (progress as Progress) === 'more';
  }

  #finish(replay: Replay): void {
    const { connection, keys } = replay;
    this.#active.delete(replay);
    for (const key of keys) {
      if (connection.held?.get(key) !== replay) continue;
      connection.held.delete(key);
      this.#settle(connection, connection.subscriptions.get(key)!);
    }
    if (connection.held?.size === 0) connection.held = null;
  }
}
