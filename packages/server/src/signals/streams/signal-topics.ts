// The topics of `/ws/signals`. Each set of options is a separate topic, because `prev` must name a message that the same
// subscriber was sent.
import type { AnySignalEvent } from '../../journal/journal.ts';
import type { LastEventNumbers, SignalStream } from '../../store/signal-store.ts';
import type { Subscribe } from '../../ws/channel.ts';

/** The kinds of messages that a subscriber gets. */
export type SignalStreams = readonly SignalStream[];

type SignalOptions = Pick<Subscribe, 'closes' | 'fills' | 'changes'>;

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

/** JSON without its last brace. */
export const signalBody = ({ signal }: AnySignalEvent): string => JSON.stringify(signal).slice(0, -1);
