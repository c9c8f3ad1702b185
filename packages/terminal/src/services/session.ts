// The signed-in session: whose it is, and how it ends. Everything the terminal opens is closed with `signal`.
import type { Account } from '@tickwire/client';

export interface SessionOptions {
  /** `null` if the terminal was opened with an API key. */
  readonly account: Account | null;
  /** The session ended. `reason` is the error that ended it, or undefined if the user signed out. */
  readonly onEnd: (reason?: unknown) => void;
  /** Signs out at the service and then ends the session. */
  readonly signOut: () => void;
}

export class Session {
  readonly account: Account | null;
  /** Ends the session in this browser: the service has ended it, or no longer accepts it. */
  readonly end: (reason?: unknown) => void;
  readonly signOut: () => void;
  readonly #closed = new AbortController();

  constructor({ account, onEnd, signOut }: SessionOptions) {
    this.account = account;
    this.end = onEnd;
    this.signOut = signOut;
  }

  get signedIn(): boolean {
    return this.account !== null;
  }

  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  close(): void {
    this.#closed.abort();
  }
}
