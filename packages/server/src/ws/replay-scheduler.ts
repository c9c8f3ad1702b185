// Runs the replays of clients that reconnect: each is sent what it missed, as fast as it reads, and then goes live. A replay
// buffers only a little for its client, however much there is to replay; new events wait in the ring or in the store.
import type { Replay, ReplayProgress, Subscriber } from './subscriber.ts';
import type { Subscription } from './topic.ts';

/** A replay pauses while its socket buffers this much; it sends about TURN_BYTES per turn. */
const BUFFERED_BYTES = 64 * 1024;
export const TURN_BYTES = 32 * 1024;
/** Time for all replays together before other work gets its turn: many clients may reconnect at the same time. */
const TURN_MS = 2;

export class ReplayScheduler {
  readonly #active = new Set<Replay>();
  readonly #goLive: (subscriber: Subscriber, subscription: Subscription) => void;
  readonly #onFault: (subscriber: Subscriber, error: unknown) => void;
  #scheduled = false;

  /** `goLive` is called for each topic whose replay is done. */
  constructor(
    goLive: (subscriber: Subscriber, subscription: Subscription) => void,
    onFault: (subscriber: Subscriber, error: unknown) => void,
  ) {
    this.#goLive = goLive;
    this.#onFault = onFault;
  }

  get active(): number {
    return this.#active.size;
  }

  start(replay: Replay): void {
    const { subscriber, keys } = replay;
    if (keys.length > 0) subscriber.replaying ??= new Map();
    for (const key of keys) subscriber.replaying!.set(key, replay);
    this.#active.add(replay);
    this.run();
  }

  /** Continues the replays in the next turn of the event loop, and in further turns while one has more to send. */
  readonly run = (): void => {
    if (this.#scheduled || this.#active.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#runTurns()) this.run();
    });
  };

  /** Returns whether there is more to send now. */
  #runTurns(): boolean {
    const until = performance.now() + TURN_MS;
    let more = false;
    for (const replay of [...this.#active]) {
      if (performance.now() >= until) return true;
      if (!this.#runTurn(replay)) continue;
      more = true;
      // To the end of the queue, so that each gets its turn.
      this.#active.delete(replay);
      this.#active.add(replay);
    }
    return more;
  }

  /** Returns whether the replay has more to send now. One with a full socket is checked again by the next sweep. */
  #runTurn(replay: Replay): boolean {
    const { subscriber } = replay;
    if (subscriber.closed || isAbandoned(replay)) {
      this.#active.delete(replay);
      return false;
    }
    if (subscriber.socket.getBufferedAmount() >= BUFFERED_BYTES) return false;
    let progress: ReplayProgress = 'more';
    try {
      subscriber.socket.cork(() => {
        progress = replay.step();
      });
    } catch (error) {
      this.#active.delete(replay);
      this.#onFault(subscriber, error);
      return false;
    }
    // The compiler does not see that the callback has changed it.
    if ((progress as ReplayProgress) === 'done') this.#finish(replay);
    return (progress as ReplayProgress) === 'more';
  }

  #finish(replay: Replay): void {
    const { subscriber, keys } = replay;
    this.#active.delete(replay);
    for (const key of keys) {
      if (subscriber.replaying?.get(key) !== replay) continue;
      subscriber.replaying.delete(key);
      this.#goLive(subscriber, subscriber.subscriptions.get(key)!);
    }
    if (subscriber.replaying?.size === 0) subscriber.replaying = null;
  }
}

/** The client has unsubscribed or started over, so the replay has nobody to send to. */
const isAbandoned = (replay: Replay): boolean =>
  replay.keys.length > 0 && !replay.keys.some((key) => replay.subscriber.replaying?.get(key) === replay);
