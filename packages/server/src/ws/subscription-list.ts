// The subscriptions of a subscriber, by the key of their topic. A plain array: with 10,000 connections of 20 symbols each, maps
// would take 3 KB more per connection, and a key is looked up only when a client changes its subscriptions or is slow.
import type { Subscription } from './topic.ts';

export class SubscriptionList {
  #list: Subscription[] = [];

  get size(): number {
    return this.#list.length;
  }

  get(key: string): Subscription | undefined {
    for (const subscription of this.#list) if (subscription.topic.key === key) return subscription;
    return undefined;
  }

  /** Adds a subscription in place of that with the same key. */
  set(subscription: Subscription): void {
    const { key } = subscription.topic;
    const at = this.#list.findIndex(({ topic }) => topic.key === key);
    if (at >= 0) this.#list[at] = subscription;
    else this.#list.push(subscription);
  }

  delete(key: string): void {
    this.#list = this.#list.filter(({ topic }) => topic.key !== key);
  }

  clear(): void {
    this.#list = [];
  }

  [Symbol.iterator](): Iterator<Subscription> {
    return this.#list[Symbol.iterator]();
  }
}
