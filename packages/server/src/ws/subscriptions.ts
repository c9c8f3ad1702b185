// The subscriptions of each subscriber, and how each is delivered: live through its topic, from a replay first, or conflated
// because the subscriber is slow.

import { Counts } from '../work/counts.ts';
import { Conflated } from './conflated.ts';
import type { Hub } from './hub.ts';
import type { Subscriber } from './subscriber.ts';
import type { Subscription, Topic } from './topic.ts';

export class Subscriptions {
  readonly #hub: Hub;
  /** Indicators and footprints on the streams of each account, by its id. */
  readonly #computed = new Counts<number>();

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  /** Indicators and footprints that the account of a subscriber may still add. */
  computedLeft({ caller }: Subscriber): number {
    if (!caller) return 0;
    const { id, tier } = caller.account;
    return tier.live_indicators - this.#computed.get(id);
  }

  #count({ caller }: Subscriber, topic: Topic, change: 1 | -1): void {
    if (!caller || topic.computed === 0) return;
    this.#computed.add(caller.account.id, change * topic.computed);
    topic.countReader(caller.account, change);
  }

  /** Adds a subscription, or changes its options. A running replay or conflation goes on with the new options. */
  add(subscriber: Subscriber, subscription: Subscription): void {
    const { key } = subscription.topic;
    const before = subscriber.subscriptions.get(key);
    this.#count(subscriber, subscription.topic, 1);
    if (before) this.#count(subscriber, before.topic, -1);
    subscriber.subscriptions.set(subscription);
    if (before?.name === subscription.name || subscriber.replaying?.has(key) || subscriber.lag?.conflated.has(key))
      return;
    // Join before leaving: a throttled topic without subscribers would be removed.
    this.deliver(subscriber, subscription);
    if (before) this.#hub.leave(subscriber, before);
  }

  /** Adds a subscription that is replayed first. Its topic stays, although nothing is delivered to it yet. */
  hold(subscriber: Subscriber, subscription: Subscription): void {
    this.#count(subscriber, subscription.topic, 1);
    subscriber.subscriptions.set(subscription);
    subscription.topic.held++;
  }

  /** The replay of a held subscription is over. */
  goLive(subscriber: Subscriber, subscription: Subscription): void {
    this.deliver(subscriber, subscription);
    subscription.topic.held--;
  }

  /** Starts delivery: live, or conflated if the subscriber is slow. */
  deliver(subscriber: Subscriber, subscription: Subscription): void {
    const { lag } = subscriber;
    if (lag && (lag.warned || subscription.latest)) this.conflate(subscriber, subscription);
    else this.#hub.join(subscriber, subscription);
  }

  /** Starts counting what the slow subscriber misses of the topic. */
  conflate({ lag }: Subscriber, { topic }: Subscription): void {
    const conflated = new Conflated(topic.seq);
    lag!.conflated.set(topic.key, conflated);
    topic.conflated.add(conflated);
  }

  remove(subscriber: Subscriber, key: string): void {
    const subscription = subscriber.subscriptions.get(key);
    if (!subscription) return;
    this.#count(subscriber, subscription.topic, -1);
    subscriber.subscriptions.delete(key);
    if (subscriber.replaying?.delete(key)) {
      this.#release(subscription.topic);
      return;
    }
    const { lag } = subscriber;
    const conflated = lag?.conflated.get(key);
    if (!lag || !conflated) {
      this.#hub.leave(subscriber, subscription);
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
  catchUp(subscriber: Subscriber): void {
    for (const [key, conflated] of subscriber.lag!.conflated) {
      const subscription = subscriber.subscriptions.get(key)!;
      this.#hub.join(subscriber, subscription);
      this.#stopConflating(subscription, conflated);
    }
    subscriber.lag = null;
  }

  removeAll(subscriber: Subscriber): void {
    for (const subscription of subscriber.subscriptions) {
      this.#count(subscriber, subscription.topic, -1);
      const { key } = subscription.topic;
      if (subscriber.replaying?.has(key)) {
        this.#release(subscription.topic);
        continue;
      }
      const conflated = subscriber.lag?.conflated.get(key);
      if (conflated) this.#stopConflating(subscription, conflated);
      else this.#hub.leave(subscriber, subscription);
    }
    subscriber.subscriptions.clear();
    subscriber.lag = subscriber.replaying = null;
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
