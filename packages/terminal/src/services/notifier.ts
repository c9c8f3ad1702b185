// Short messages in the status bar, such as a request that failed. Each disappears after a while.
import { signal } from '@preact/signals';
import { TickwireError } from '@tickwire/client';
import type { Session } from './session.ts';

const MESSAGE_MS = 12_000;

export class Notifier {
  /** '' if there is none. */
  readonly message = signal('');
  readonly #session: Pick<Session, 'end' | 'signal'>;
  #clear: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Pick<Session, 'end' | 'signal'>) {
    this.#session = session;
  }

  show(text: string): void {
    this.message.value = text;
    clearTimeout(this.#clear);
    this.#clear = setTimeout(() => {
      this.message.value = '';
    }, MESSAGE_MS);
  }

  /** Shows why a request failed; `what` names the part of the page. An expired session is ended. */
  readonly reportError = (error: unknown, what: string): void => {
    if (this.#session.signal.aborted) return;
    if (!(error instanceof TickwireError)) throw error;
    if (error.status === 401) {
      this.#session.end(error);
      return;
    }
    const retry = error.retryAfterSeconds === null ? '' : ` Retrying in ${error.retryAfterSeconds} s.`;
    this.show(`${what}: ${error.detail}${retry}`);
  };
}
