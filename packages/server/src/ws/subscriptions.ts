// The subscriptions of each connection, and how each is delivered: live through its topic, from a replay first, or conflated
// because the subscriber is slow.

import { Conflated } from './conflated.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';
import type { Subscription, Topic } from './topic.ts';

export class Subscriptions {
  readonly #hub: Hub;

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  /** Adds a subscription, or changes its options. A running replay or conflation goes on with the new options. */
  add(connection: Connection, subscription: Subscription): void {
    const { key } = subscription.topic;
    const before = connection.subscriptions.get(key);
    connection.subscriptions.set(key, subscription);
    if (before?.name === subscription.name || connection.replaying?.has(key) || connection.lag?.conflated.has(key))
      return;
    // Join before leaving: a throttled topic without subscribers would be removed.
    this.deliver(connection, subscription);
    if (before) this.#hub.leave(connection, before);
  }

  /** Adds a subscription that is replayed first. Its topic stays, although nothing is delivered to it yet. */
  hold(connection: Connection, subscription: Subscription): void {
    connection.subscriptions.set(subscription.topic.key, subscription);
    subscription.topic.held++;
  }

  /** The replay of a held subscription is over. */
  goLive(connection: Connection, subscription: Subscription): void {
    this.deliver(connection, subscription);
    subscription.topic.held--;
  }

  /** Starts delivery: live, or conflated if the subscriber is slow. */
  deliver(connection: Connection, subscription: Subscription): void {
    const { lag } = connection;
    if (lag && (lag.warned || subscription.latest)) this.conflate(connection, subscription);
    else this.#hub.join(connection, subscription);
  }

  /** Starts counting what the slow subscriber misses of the topic. */
  conflate({ lag }: Connection, { topic }: Subscription): void {
    const conflated = new Conflated(topic.seq);
    lag!.conflated.set(topic.key, conflated);
    topic.conflated.add(conflated);
  }

  remove(connection: Connection, key: string): void {
    const subscription = connection.subscriptions.get(key);
    if (!subscription) return;
    connection.subscriptions.delete(key);
    if (connection.replaying?.delete(key)) {
      this.#release(subscription.topic);
      return;
    }
    const { lag } = connection;
    const conflated = lag?.conflated.get(key);
    if (!lag || !conflated) {
      this.#hub.leave(connection, subscription);
      return;
    }
    this.#stopConflating(subscription, conflated);
    lag.conflated.delete(key);
    if (conflated.messages === 0 || subscription.latest) return;
    // Messages dropped before the client unsubscribed are still declared.
    lag.dropped += conflated.messages;
    lag.symbols.add(subscription.topic.symbol);
  }

  /** The subscriber has caught up: everything is live again. */
  catchUp(connection: Connection): void {
    for (const [key, conflated] of connection.lag!.conflated) {
      const subscription = connection.subscriptions.get(key)!;
      this.#hub.join(connection, subscription);
      this.#stopConflating(subscription, conflated);
    }
    connection.lag = null;
  }

  removeAll(connection: Connection): void {
    for (const [key, subscription] of connection.subscriptions) {
      if (connection.replaying?.has(key)) {
        this.#release(subscription.topic);
        continue;
      }
      const conflated = connection.lag?.conflated.get(key);
      if (conflated) this.#stopConflating(subscription, conflated);
      else this.#hub.leave(connection, subscription);
    }
    connection.subscriptions.clear();
    connection.lag = connection.replaying = null;
  }

  /** Ends the hold of a subscription that was removed during its replay. */
  #release(topic: Topic): void {
    topic.held--;
    this.#hub.removeIfUnused(topic);
  }

  #stopConflating({ topic }: Subscription, conflated: Conflated): void {
    topic.conflated.delete(conflated);
    this.#hub.removeIfUnused(topic);
  }
}
