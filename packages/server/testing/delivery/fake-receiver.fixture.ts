// A receiver of webhooks that verifies every signature with the verifier of the library.
import { Webhook } from 'standardwebhooks';
import { FakeHttp } from './fake-http.fixture.ts';

export interface ReceivedWebhook {
  /** `webhook-id`. */
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: number;
}

export class FakeReceiver implements AsyncDisposable {
  readonly received: ReceivedWebhook[] = [];
  /** Why requests were refused with a 401. */
  readonly refused: string[] = [];
  readonly server: FakeHttp;

  private constructor(secret: string) {
    const verifier = new Webhook(secret);
    this.server = new FakeHttp(({ headers, body, at }) => {
      try {
        const verified = verifier.verify(body, headers) as Record<string, unknown>;
        this.received.push({ id: headers['webhook-id']!, body: verified, at });
        return { status: 204 };
      } catch (error) {
        this.refused.push((error as Error).message);
        return { status: 401 };
      }
    });
  }

  static async open(secret: string): Promise<FakeReceiver> {
    const receiver = new FakeReceiver(secret);
    await receiver.server.listen();
    return receiver;
  }

  get url(): string {
    return this.server.url('/hook');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }
}
