// Replays bars: those that closed or were amended, then the bar that is forming, if anything changed since.
import { NOTHING_CONFLATED } from '../../ws/conflated.ts';
import { RingReplay } from '../../ws/ring-replay.ts';

export class BarReplay extends RingReplay {
  /**
   * `seq` of the last message that was sent, by key. The ring has none, because the message before depends on the rate of a
   * topic. Neither is the last one of the client known: `prev` of the first message is 0.
   */
  readonly #last = new Map<string, number>();

  protected override prevAt(key: string, position: number): number {
    const prev = this.#last.get(key) ?? 0;
    this.#last.set(key, this.ring.seqAt(position));
    return prev;
  }

  protected override finish(): void {
    const { subscriber } = this;
    for (const { topic } of this.subscriptions) {
      const last = this.#last.get(topic.key);
      if (topic.seq <= (last ?? this.request.from.seq)) continue;
      const text = topic.newestText(subscriber.subscriptions.get(topic.key)!, NOTHING_CONFLATED, last ?? 0);
      if (text !== null) subscriber.socket.send(text);
    }
  }
}
