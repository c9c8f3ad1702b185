// Test messages to the destinations of an account. They count as messages of the account, not as firings.
import type { AlertCondition } from '@tickwire/contract';
import { SECOND_MS } from '@tickwire/engine';
import type { MessageLocale } from '../delivery/channel.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AlertRow } from '../store/alert-store.ts';
import type { DeliveryStore, NewMessage } from '../store/delivery-store.ts';
import { secondsToMidnight } from '../work/period-counts.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import type { DestinationService } from './destination-service.ts';
import { testMessage } from './service-messages.ts';

export interface TestMessagesOptions {
  readonly delivery: DeliveryStore;
  readonly destinations: DestinationService;
  readonly unsubscribeUrl: (destination: string) => string | undefined;
  readonly localeOf: (account: string) => MessageLocale;
  /** Counts a message of an account. Returns why it must not be sent, or `null`. */
  readonly takeMessage: (account: string) => string | null;
  readonly wake: () => void;
  readonly now: () => number;
}

type Tested = Omit<Parameters<typeof testMessage>[1], 'unsubscribe' | 'locale'>;

/** Tests that an account may send per minute. Unlike alerts, they are sent whenever a user asks for one. */
const TESTS_PER_MINUTE = 10;

export class TestMessages {
  readonly #options: TestMessagesOptions;
  readonly #tests = new RateLimiter({ limit: TESTS_PER_MINUTE });

  constructor(options: TestMessagesOptions) {
    this.#options = options;
  }

  /** To each destination of an alert. Returns the ids of the messages. */
  ofAlert({ account, id, note, symbol, condition, deliver }: AlertRow): Promise<readonly string[]> {
    return this.#send(account, deliver, {
      alert: id,
      symbol,
      condition: JSON.parse(condition) as AlertCondition,
      note,
    });
  }

  async ofDestination(account: string, id: string): Promise<readonly string[]> {
    await this.#options.destinations.row(account, id);
    return this.#send(account, [id], { alert: null, symbol: null, condition: { type: 'headline' }, note: null });
  }

  async #send(account: string, ids: readonly string[], tested: Tested): Promise<readonly string[]> {
    const { delivery, destinations: service, unsubscribeUrl, localeOf, wake, now } = this.#options;
    const locale = localeOf(account);
    const destinations = new Map((await service.rows(account)).map((row) => [row.id, row]));
    const messages: NewMessage[] = [];
    for (const id of ids) {
      const row = destinations.get(id);
      if (row && row.state !== 'active')
        throw new ServiceError('destination_unverified', `The destination ${id} must be verified with its code first.`);
      const unsubscribe = unsubscribeUrl(id);
      if (!row) continue;
      this.#take(account);
      messages.push(testMessage(row, { ...tested, locale, ...(unsubscribe && { unsubscribe }) }, Math.floor(now())));
    }
    await delivery.addMessages(messages);
    wake();
    return messages.map(({ id }) => id);
  }

  #take(account: string): void {
    const { takeMessage, now } = this.#options;
    const waitMs = this.#tests.take(account, now());
    const refused =
      waitMs > 0 ? `An account may send ${TESTS_PER_MINUTE} test messages per minute.` : takeMessage(account);
    if (refused === null) return;
    const retryAfterSeconds = waitMs > 0 ? Math.ceil(waitMs / SECOND_MS) : secondsToMidnight(now());
    throw new ServiceError('rate_limited', refused, { retryAfterSeconds });
  }
}
