// The channel of signals. Its numbers are those of the signal log, which stay valid across restarts.
import type { StreamPosition } from '@tickwire/contract';
import { type MarketSymbol, PerInstrument } from '@tickwire/engine';
import { type AnySignalEvent, STREAM_OF_EVENT } from '../../journal/journal.ts';
import type { MarketView } from '../../market/market-view.ts';
import type { EventReaders, ReplayRequest, Subscribe, TopicChannel, TopicPublisher } from '../../ws/channel.ts';
import { EventRing } from '../../ws/message-ring.ts';
import type { Replay } from '../../ws/subscriber.ts';
import { Topic } from '../../ws/topic.ts';
import type { SignalEvents } from '../signal-events.ts';
import { SignalReplay } from './signal-replay.ts';
import { newestOf, SIGNAL_TOPICS, type SignalStreams, signalBody, signalTopicKind } from './signal-topics.ts';

/** Signals in memory; older ones come from the store. */
const SIGNALS_KEPT = 1_024;

export interface SignalChannelOptions {
  readonly instruments: readonly { readonly symbol: MarketSymbol }[];
  readonly signals: Pick<SignalEvents, 'epoch' | 'newest' | 'lastOf' | 'lastAt' | 'after'>;
  readonly market: Pick<MarketView, 'tick'>;
}

/** One topic of an instrument. */
interface SignalTopic {
  readonly streams: SignalStreams;
  readonly topic: Topic;
}

export class SignalChannel implements TopicChannel {
  readonly name = 'signals';
  readonly isComplete = true;
  readonly #options: SignalChannelOptions;
  readonly #ring: EventRing<AnySignalEvent>;
  /** In the order of SIGNAL_TOPICS. */
  readonly #topics: PerInstrument<readonly SignalTopic[]>;

  readonly reads: EventReaders = {
    signal: (event, _, publisher) => this.#publish(event, publisher),
    signal_filled: (event, _, publisher) => this.#publish(event, publisher),
    signal_changed: (event, _, publisher) => this.#publish(event, publisher),
    signal_closed: (event, _, publisher) => this.#publish(event, publisher),
  };

  constructor(options: SignalChannelOptions) {
    const { instruments, signals } = options;
    this.#options = options;
    this.#ring = new EventRing(SIGNALS_KEPT, signals.newest);
    this.#topics = PerInstrument.of(instruments, ({ symbol }) => this.#topicsOf(symbol));
  }

  fill(): string {
    return '/api/signals?status=all&limit=500';
  }

  newest(): StreamPosition {
    const { epoch, newest } = this.#options.signals;
    return { epoch, seq: newest };
  }

  /** Heartbeats tell how old the prices are that signals are judged by. */
  lastEventAt(symbol: MarketSymbol): number | null {
    return this.#options.market.tick(symbol)?.time ?? null;
  }

  open(symbol: MarketSymbol, message: Subscribe): Topic {
    const streams = SIGNAL_TOPICS.get(signalTopicKind(message));
    return this.#topics.get(symbol)!.find((each) => each.streams === streams)!.topic;
  }

  /** All subscriptions of one request are of the same kind. */
  replay(request: ReplayRequest): Replay {
    const [{ topic }] = request.subscriptions as [(typeof request.subscriptions)[number]];
    const { streams } = this.#topics.get(topic.symbol)!.find((each) => each.topic === topic)!;
    return new SignalReplay(request, { streams, ring: this.#ring, signals: this.#options.signals });
  }

  #topicsOf(symbol: MarketSymbol): SignalTopic[] {
    const { signals } = this.#options;
    const { epoch } = signals;
    const last = signals.lastOf(symbol);
    return [...SIGNAL_TOPICS].map(([kind, streams]) => {
      const name = `${kind}:${symbol}`;
      const topic = new Topic({ channel: 'signals', symbol, name, epoch, newest: () => null });
      topic.seq = newestOf(last, streams);
      return { streams, topic };
    });
  }

  #publish(event: AnySignalEvent, publisher: TopicPublisher): void {
    const { symbol, n } = event;
    this.#ring.add(n, event);
    const stream = STREAM_OF_EVENT[event.kind];
    for (const { streams, topic } of this.#topics.get(symbol) ?? []) {
      if (!streams.includes(stream)) continue;
      topic.advance(n, 0, 0);
      if (topic.hasSubscribers) publisher.publish(topic, signalBody(event), null);
    }
  }
}
