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

/** More in one form are not remembered. */
const MOST_UNKNOWN = 20;

export class PublishAttempt implements SignalAttempt {
  readonly #client: Pick<CoreClient, 'publishSignal'>;
  /** Their outcome is unknown, the latest last. */
  #unknown: Sent[] = [];
  #asOf = 0;

  constructor(client: Pick<CoreClient, 'publishSignal'>) {
    this.#client = client;
  }

  request(build: (now: number) => SignalRequest | null, now = Date.now()): SignalRequest | null {
    for (const { body, asOf } of this.#unknown) {
      const repeated = build(asOf);
      if (repeated && JSON.stringify(repeated) === body) {
        this.#asOf = asOf;
        return repeated;
      }
    }
    this.#asOf = now;
    return build(now);
  }

  async publish(request: SignalRequest): Promise<string> {
    const body = JSON.stringify(request);
    const known = this.#unknown.find((sent) => sent.body === body);
    const key = known?.key ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
    if (!known) this.#unknown = [...this.#unknown, { body, key, asOf: this.#asOf }].slice(-MOST_UNKNOWN);
    try {
      return (await this.#client.publishSignal(request, { idempotencyKey: key })).id;
    } catch (error) {
      // A rejected signal was not published: the next one is another. Errors of the service or of a proxy leave it open, and so does
      // the rejection of a repetition, which may be refused (for its rate, say) although the first request was carried out.
      const isRejected = error instanceof TickwireError && error.status >= 400 && error.status < 500;
      if (isRejected && !known) this.#unknown = this.#unknown.filter((sent) => sent.key !== key);
      throw error;
    }
  }
}
