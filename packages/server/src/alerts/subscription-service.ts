// Requests about subscriptions.
import type { CreatedDestination, Subscription, SubscriptionRequest } from '@tickwire/contract';
import { SIGNAL_HAPPENINGS } from '@tickwire/contract';
import type { AccountState } from '../access/account-state.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AlertStore, SubscriptionRow } from '../store/alert-store.ts';
import { subscriptionJson } from './alert-json.ts';
import type { AlertService } from './alert-service.ts';
import { type IdOf, newId } from './destination-json.ts';
import type { DestinationService } from './destination-service.ts';
import { orUndo } from './resolved-destinations.ts';
import type { SubscriptionList } from './subscription-list.ts';

export interface SubscriptionServiceOptions {
  readonly store: AlertStore;
  readonly list: SubscriptionList;
  readonly alerts: AlertService;
  readonly destinations: DestinationService;
  /** Number of the newest record of the signal log. */
  readonly newestRecord: () => number;
  /** Id of a publisher by name or id. */
  readonly publisherId: (nameOrId: string) => string | undefined;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly now: () => number;
}

export class SubscriptionService {
  readonly #options: SubscriptionServiceOptions;

  constructor(options: SubscriptionServiceOptions) {
    this.#options = options;
  }

  async list(account: AccountState): Promise<Subscription[]> {
    const destinations = await this.#destinations(account.publicId);
    return this.#options.list.of(account.publicId).map((row) => this.#json(row, destinations, account));
  }

  async create(
    account: AccountState,
    request: SubscriptionRequest,
    idOf: IdOf = newId,
  ): Promise<Subscription & { created_destinations: CreatedDestination[] }> {
    const { store, list, alerts, destinations, newestRecord, now } = this.#options;
    const publisher = this.#publisherOf(request);
    const symbol = alerts.symbolOf(request.symbol);
    if (request.mirror && (publisher === null || request.events.length < SIGNAL_HAPPENINGS.length))
      throw invalid('mirror', 'false, or true with a publisher and without narrowed events');
    const id = alerts.idFor(idOf, 'sub', (each) => list.get(each));
    const repeated = list.get(id);
    if (!repeated) alerts.requireRoom(account);
    const { ids, created, undo } = await destinations.resolve(account.publicId, request.deliver, idOf);
    const row: SubscriptionRow = repeated ?? {
      id,
      account: account.publicId,
      ...{ publisher, symbol, category: request.category ?? null, mirror: request.mirror, deliver: ids },
      events: SIGNAL_HAPPENINGS.filter((each) => request.events.includes(each)),
      createdAt: Math.floor(now()),
      sinceN: newestRecord(),
    };
    if (!repeated)
      await orUndo(undo, async () => {
        const release = alerts.reserveRoom(account);
        await store.putSubscription(row).finally(release);
        list.add(row);
      });
    const json = this.#json(row, await this.#destinations(account.publicId), account);
    return { ...json, created_destinations: created };
  }

  async delete(account: AccountState, id: string): Promise<Subscription> {
    const { store, list } = this.#options;
    const row = list.get(id);
    if (row?.account !== account.publicId)
      throw new ServiceError('subscription_not_found', 'The account has no subscription with this id.');
    const json = this.#json(row, await this.#destinations(account.publicId), account);
    await store.deleteSubscription(id);
    list.remove(id);
    return json;
  }

  /** Exactly one of publisher, symbol and category. */
  #publisherOf({ publisher, symbol, category }: SubscriptionRequest): string | null {
    const given = [publisher, symbol, category].filter((each) => each !== undefined);
    if (given.length !== 1) throw invalid('body', 'an object with exactly one of publisher, symbol and category');
    if (publisher === undefined) return null;
    this.#options.alerts.requirePublisher(publisher);
    return this.#options.publisherId(publisher)!;
  }

  async #destinations(account: string) {
    return new Map((await this.#options.destinations.rows(account)).map((row) => [row.id, row]));
  }

  #json(row: SubscriptionRow, destinations: Parameters<typeof subscriptionJson>[1], { tier }: AccountState) {
    return subscriptionJson(row, destinations, this.#options.nameOf, tier.delivery_delay_seconds);
  }
}

const invalid = (parameter: string, allowed: string): ServiceError =>
  new ServiceError('invalid_parameter', `${parameter} must be ${allowed}`, {
    errors: [{ parameter, value: null, allowed }],
  });
