// Sends the signal of a form. If it is sent again because its outcome is unknown, it is the same request with the same key, so that it is
// published once.
import { type CoreClient, type SignalRequest, TickwireError } from '@tickwire/client';
import type { SignalAttempt } from '../services/placed-forms.ts';

/** `asOf`: when the request was reviewed first; its expiry counts from there. Milliseconds since the epoch. */
interface Sent {
  readonly body: string;
  readonly key: string;
  readonly asOf: number;
}

export class PublishAttempt implements SignalAttempt {
  readonly #client: Pick<CoreClient, 'publishSignal'>;
  /** Its outcome is unknown. */
  #unknown: Sent | null = null;
  #asOf = 0;

  constructor(client: Pick<CoreClient, 'publishSignal'>) {
    this.#client = client;
  }

  request(build: (now: number) => SignalRequest | null, now = Date.now()): SignalRequest | null {
    const unknown = this.#unknown;
    const repeated = unknown && build(unknown.asOf);
    if (repeated && JSON.stringify(repeated) === unknown.body) {
      this.#asOf = unknown.asOf;
      return repeated;
    }
    this.#asOf = now;
    return build(now);
  }

  async publish(request: SignalRequest): Promise<string> {
    const body = JSON.stringify(request);
    const isRepeated = this.#unknown?.body === body;
    if (this.#unknown?.body !== body) {
      const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
      this.#unknown = { body, key, asOf: this.#asOf };
    }
    try {
      return (await this.#client.publishSignal(request, { idempotencyKey: this.#unknown.key })).id;
    } catch (error) {
      // A rejected signal was not published: the next one is another. Errors of the service or of a proxy leave it open, and so does
      // the rejection of a repetition, which may be refused (for its rate, say) although the first request was carried out.
      const isRejected = error instanceof TickwireError && error.status >= 400 && error.status < 500;
      if (isRejected && !isRepeated) this.#unknown = null;
      throw error;
    }
  }
}
