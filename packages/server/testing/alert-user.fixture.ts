// An account that uses alerts over REST, and a receiver of its webhooks.
import type {
  AlertFiring,
  CreatedAlert,
  CreatedDestination,
  CreatedSubscription,
  Delivery,
  WebhookMessage,
} from '@tickwire/contract';
import { Webhook } from 'standardwebhooks';
import type { z } from 'zod';
import { FakeHttp, type FakeReply } from './delivery/fake-http.fixture.ts';
import { eventually } from './process.fixture.ts';
import type { RunningService } from './service.fixture.ts';

export const crossing = (level: number, cross: 'above' | 'below' | 'either' = 'above') => ({
  type: 'price',
  cross,
  level,
  side: 'bid',
});

export class AlertUser {
  readonly key: string;
  readonly #url: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.key = key;
  }

  static async of(service: RunningService, tier = 'premium'): Promise<AlertUser> {
    return new AlertUser(service.url, (await service.key(tier, ['read', 'alerts'])).key);
  }

  send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.#url + path, {
      method,
      headers: { 'X-API-Key': this.key, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** The response to a request that must succeed. */
  async must<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.send(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  alert(request: object): Promise<CreatedAlert> {
    return this.must('POST', '/api/alerts', { symbol: 'EURUSD', ...request });
  }

  destination(request: object): Promise<CreatedDestination> {
    return this.must('POST', '/api/destinations', request);
  }

  subscription(request: object): Promise<z.infer<typeof CreatedSubscription>> {
    return this.must('POST', '/api/subscriptions', request);
  }

  async firings(): Promise<AlertFiring[]> {
    return (await this.must<{ items: AlertFiring[] }>('GET', '/api/alerts/firings?limit=200')).items;
  }

  async deliveries(): Promise<Delivery[]> {
    return (await this.must<{ items: Delivery[] }>('GET', '/api/deliveries?limit=200')).items;
  }
}

export interface ReceivedHook {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly message: WebhookMessage;
  readonly at: number;
}

/** Takes every request, and verifies signatures later, when the secret is known. */
export class HookReceiver implements AsyncDisposable {
  readonly received: ReceivedHook[] = [];
  readonly server: FakeHttp;

  private constructor(reply: (attempt: number) => FakeReply) {
    this.server = new FakeHttp(({ headers, body, at }) => {
      const answer = reply(this.received.length);
      this.received.push({
        id: headers['webhook-id'] ?? '',
        headers,
        text: String(body),
        message: JSON.parse(String(body)) as WebhookMessage,
        at,
      });
      return answer;
    });
  }

  static async open(reply: (attempt: number) => FakeReply = () => ({ status: 204 })): Promise<HookReceiver> {
    const receiver = new HookReceiver(reply);
    await receiver.server.listen();
    return receiver;
  }

  url(path = '/hook'): string {
    return this.server.url(path);
  }

  /** Waits for so many requests. */
  async wait(count: number): Promise<readonly ReceivedHook[]> {
    await eventually(`${count} webhooks`, () => this.received.length >= count);
    return this.received;
  }

  /** Throws unless the library's own verifier accepts a request. */
  verify(secret: string, { headers, text }: ReceivedHook): void {
    new Webhook(secret).verify(text, headers);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }
}
