// A replay session of the service: its state, as far as this page knows it, and what changes it. Changes are sent one after the other.
import { type Signal, signal } from '@preact/signals';
import {
  type CallOptions,
  type CoreClient,
  type ReplaySession,
  type ReplaySessionChange,
  TickwireError,
} from '@tickwire/client';
import { type Polling, poll } from '../ui/poll.ts';
import { ReplayClock } from './replay-clock.ts';

/** How often the service is asked for the clock while it runs, and while it stands still. */
const PLAYING_MS = 4_000;
const PAUSED_MS = 60_000;
const RETRY_MS = 5_000;

export type ReplayClient = Pick<CoreClient, 'changeReplay' | 'replaySession' | 'deleteReplay'>;

export interface ReplayOptions {
  readonly client: ReplayClient;
  readonly session: ReplaySession;
  /** The service has no such session any more. */
  readonly onLost: () => void;
  /** A change or a question was refused, or got no answer. */
  readonly onError: (error: TickwireError) => void;
  readonly clock?: ReplayClock;
  readonly poll?: typeof poll;
}

export class Replay {
  readonly clock: ReplayClock;
  readonly session: Signal<ReplaySession>;
  readonly #options: ReplayOptions;
  #polling: Polling;
  #changes: Promise<unknown> = Promise.resolve();
  #pending = 0;
  #ended = false;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.clock = options.clock ?? new ReplayClock();
    this.session = signal(options.session);
    this.clock.set(options.session);
    this.#polling = this.#poll();
  }

  get id(): string {
    return this.session.peek().id;
  }

  /** Whether the clock runs. */
  get isPlaying(): boolean {
    return this.session.peek().state === 'playing';
  }

  /** False if the service refused the change. */
  change(change: ReplaySessionChange): Promise<boolean> {
    this.#pending++;
    const changed = this.#changes.then(async () => {
      const isDone = await this.#ask((client) => client.changeReplay(this.id, change));
      if (isDone) this.#askSoon();
      return isDone;
    });
    this.#changes = changed.finally(() => {
      this.#pending--;
    });
    return changed;
  }

  /** Ends the session here and, unless it is gone, at the service. `options`: of the request. */
  async end(options: CallOptions = {}): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#polling.stop();
    try {
      await this.#options.client.deleteReplay(this.id, options);
    } catch (error) {
      // It ends by itself when nobody uses it.
      if (!(error instanceof TickwireError)) throw error;
    }
  }

  #poll(): Polling {
    return (this.#options.poll ?? poll)(() => this.#refresh(), PLAYING_MS);
  }

  /** The next question may be a minute away, as the clock stood still. */
  #askSoon(): void {
    this.#polling.stop();
    this.#polling = this.#poll();
  }

  /** Returns the milliseconds until the next question. */
  async #refresh(): Promise<number> {
    // A change answers with the state, too.
    if (this.#pending === 0 && !(await this.#ask((client) => client.replaySession(this.id)))) return RETRY_MS;
    return this.isPlaying ? PLAYING_MS : PAUSED_MS;
  }

  async #ask(request: (client: ReplayClient) => Promise<ReplaySession>): Promise<boolean> {
    const { client, onLost, onError } = this.#options;
    if (this.#ended) return false;
    try {
      const session = await request(client);
      if (this.#ended) return false;
      this.clock.set(session);
      this.session.value = session;
      return true;
    } catch (error) {
      if (!(error instanceof TickwireError)) throw error;
      if (this.#ended) return false;
      if (error.code !== 'replay_not_found') onError(error);
      else {
        this.#ended = true;
        this.#polling.stop();
        onLost();
      }
      return false;
    }
  }
}
