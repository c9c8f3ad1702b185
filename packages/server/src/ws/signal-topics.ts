// The topics of `/ws/signals`. Each set of options is a topic of its own, because `prev` must name a message that the same
// subscriber was sent.
import type { LastEventNumbers, SignalStream } from '../store/signal-store.ts';

/** The kinds of messages that a subscriber gets. */
export type SignalStreams = readonly SignalStream[];

export interface SignalOptions {
  readonly closes?: boolean | undefined;
  readonly fills?: boolean | undefined;
  readonly changes?: boolean | undefined;
}

export type SignalTopicKind = `signals${'' | '+fills'}${'' | '+changes'}${'' | '+closes'}`;

export const signalTopicKind = ({ fills, changes, closes }: SignalOptions): SignalTopicKind =>
  `signals${fills ? '+fills' : ''}${changes ? '+changes' : ''}${closes ? '+closes' : ''}`;

const FLAGS = [false, true];

/** All topics, with what each contains. */
export const SIGNAL_TOPICS: ReadonlyMap<SignalTopicKind, SignalStreams> = new Map(
  FLAGS.flatMap((fills) =>
    FLAGS.flatMap((changes) =>
      FLAGS.map((closes): [SignalTopicKind, SignalStreams] => [
        signalTopicKind({ fills, changes, closes }),
        [
          'published',
          ...(fills ? (['filled'] as const) : []),
          ...(changes ? (['changed'] as const) : []),
          ...(closes ? (['closed'] as const) : []),
        ],
      ]),
    ),
  ),
);

/** Number of the last message among these streams; 0 if there is none. */
export const newestOf = (numbers: LastEventNumbers, streams: SignalStreams): number =>
  Math.max(...streams.map((stream) => numbers[stream]));
