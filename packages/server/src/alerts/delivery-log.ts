// The delivery log of an account, and replaying what was given up.
import type { DeliveriesQuery, Delivery } from '@tickwire/contract';
import type { AccountState } from '../access/account-state.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { DeliveryStore, StoredMessage } from '../store/delivery-store.ts';
import type { DeliveryAllowance } from './delivery-allowance.ts';
import { deliveryJson } from './destination-json.ts';
import type { DestinationService } from './destination-service.ts';

export interface DeliveryLogOptions {
  readonly store: DeliveryStore;
  readonly destinations: DestinationService;
  readonly allowance: DeliveryAllowance;
  readonly wake: () => void;
  readonly now: () => number;
}

export class DeliveryLog {
  readonly #options: DeliveryLogOptions;

  constructor(options: DeliveryLogOptions) {
    this.#options = options;
  }

  async list(account: string, query: DeliveriesQuery): Promise<Delivery[]> {
    const { state, destination, alert, before, limit } = query;
    const messages = await this.#options.store.messages(account, {
      ...(state !== undefined && { state }),
      ...(destination !== undefined && { destination }),
      ...(alert !== undefined && { alert }),
      ...(before !== undefined && { before }),
      limit,
    });
    return this.#json(account, messages);
  }

  async replay({ publicId, tier, tierName }: AccountState, id: string): Promise<Delivery> {
    const { store, allowance, wake, now } = this.#options;
    const message = await store.message(id);
    if (message?.account !== publicId)
      throw new ServiceError('delivery_not_found', 'The account has no message with this id.');
    if (message.state !== 'dead') throw notReplayable(`The message is ${message.state}, not dead.`);
    if (message.type === 'code') throw notReplayable('A code is not sent again: ask for a new one.');
    const refused = allowance.take(publicId, { limit: tier.deliveries_per_day, tier: tierName });
    if (refused !== null) throw notReplayable(refused);
    if (!(await store.replay(id, Math.floor(now())))) throw notReplayable('The message is not dead any more.');
    wake();
    const replayed = (await store.message(id)) ?? message;
    return (await this.#json(publicId, [replayed]))[0]!;
  }

  async #json(account: string, messages: readonly StoredMessage[]): Promise<Delivery[]> {
    const channels = new Map((await this.#options.destinations.rows(account)).map(({ id, channel }) => [id, channel]));
    return messages.flatMap((message) => {
      const channel = channels.get(message.destination);
      return channel ? deliveryJson(message, channel) : [];
    });
  }
}

const notReplayable = (detail: string): ServiceError => new ServiceError('not_replayable', detail);
