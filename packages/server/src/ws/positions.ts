// Positions in the streams: the newest of a channel, and that of a subscriber.
import type { Channel, StreamPosition } from '@tickwire/contract';
import type { Journal } from '../journal/journal.ts';
import type { SignalSequence } from './instrument-topics.ts';
import { type ItemStreams, itemsOf } from './item-subscribers.ts';
import type { Subscriber } from './subscriber.ts';

export interface PositionsOptions {
  readonly journal: Pick<Journal, 'epoch' | 'lastSeq'>;
  readonly signals: Pick<SignalSequence, 'epoch' | 'newest'>;
  readonly items: ItemStreams;
  /** Sends delayed messages, so that none is behind a position. */
  readonly flush: () => void;
}

export class Positions {
  readonly #options: PositionsOptions;

  constructor(options: PositionsOptions) {
    this.#options = options;
  }

  /** The newest position of a channel. */
  newest(channel: Channel): StreamPosition {
    const { signals, journal } = this.#options;
    if (channel === 'signals') return { epoch: signals.epoch, seq: signals.newest };
    return { epoch: journal.epoch, seq: journal.lastSeq };
  }

  /** Position of a subscriber that has read everything sent to it; `undefined` during a replay, when only the client knows it. */
  of(subscriber: Subscriber): StreamPosition | undefined {
    const { journal, items, flush } = this.#options;
    const { channel, subscriptions } = subscriber;
    const stream = itemsOf(items, subscriber);
    if (subscriber.replaying || stream?.isReplaying(subscriber)) return undefined;
    flush();
    if (channel === 'signals') return this.newest(channel);
    if (stream) return stream.position;
    let seq = 0;
    for (const { topic } of subscriptions) seq = Math.max(seq, topic.seq);
    return { epoch: journal.epoch, seq };
  }
}
