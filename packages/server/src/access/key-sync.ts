// Keeps the keyring up to date with the store, and tells other processes how far it is. So a command that creates a key can
// wait until the running services accept it.
import { SECOND_MS } from '@tickwire/engine';
import type { Timers } from '../ops/timers.ts';
import type { AccessStore } from '../store/store.ts';
import { randomId } from './key-format.ts';
import type { Keyring } from './keyring.ts';

export class KeySync {
  readonly #store: AccessStore;
  readonly #keyring: Keyring;
  readonly #service = randomId('srv');
  #reported = -1;
  #reportedAt = 0;
  #stopped = false;

  constructor(store: AccessStore, keyring: Keyring) {
    this.#store = store;
    this.#keyring = keyring;
  }

  /**
   * Makes commands wait for this service, and loads what changed since the keyring was loaded: a command that found no
   * service to wait for has made its change before. Call it before the service accepts requests.
   */
  async join(): Promise<void> {
    await this.#report();
    await this.#keyring.reload();
  }

  start(timers: Timers, refreshMs: number): void {
    const refresh = async (): Promise<void> => {
      await this.#keyring.refresh();
      const silent = performance.now() - this.#reportedAt >= SECOND_MS;
      if (silent || this.#keyring.position !== this.#reported) await this.#report();
    };
    timers.every(refreshMs, 'refreshing keys', refresh, { immediately: true });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#store.forgetService(this.#service);
  }

  async #report(): Promise<void> {
    if (this.#stopped) return;
    const { position } = this.#keyring;
    await this.#store.reportLoaded(this.#service, position);
    this.#reported = position;
    this.#reportedAt = performance.now();
  }
}
