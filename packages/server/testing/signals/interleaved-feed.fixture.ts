// Interleaves several histories into one feed, each in its own order.
import type { NaiveOutcome } from './naive-judge.fixture.ts';
import type { History } from './random-feed.fixture.ts';
import type { FeedItem, Outcomes, Posting } from './verifier-run.fixture.ts';

export interface Interleaved {
  readonly feed: readonly FeedItem[];
  readonly postings: readonly Posting[];
  /** Outcomes with the seq that the events have in their own history. */
  ownNumbers(outcomes: Outcomes): Outcomes;
}

/** `picks` chooses the next history, repeated as often as needed. */
export function interleaved(histories: readonly History[], picks: readonly number[]): Interleaved {
  const feed: FeedItem[] = [];
  const own = new Map<number, number>();
  const places = histories.map((): number[] => []);
  for (let turn = 0; histories.some(({ events }, at) => places[at]!.length < events.length); turn++) {
    const waiting = histories.filter(({ events }, at) => places[at]!.length < events.length);
    const history = waiting[picks[turn % picks.length]! % waiting.length]!;
    const place = places[histories.indexOf(history)]!;
    const event = history.events[place.length]!;
    const seq = feed.length + 1;
    place.push(feed.length);
    own.set(seq, event.seq);
    feed.push({ symbol: history.spec.symbol, event: { ...event, seq } });
  }
  const postings = histories.flatMap((history, at) =>
    history.postings.map((posting): Posting => {
      const { index, manual } = posting;
      const place = places[at]!;
      return {
        ...posting,
        index: place[index]!,
        manual: manual && { ...manual, after: place[manual.after]! },
      };
    }),
  );
  const ownNumber = (seq: number): number => own.get(seq)!;
  const withOwnNumbers = (outcome: NaiveOutcome): NaiveOutcome => {
    const { filled_seq, closing } = outcome;
    return {
      ...outcome,
      filled_seq: filled_seq === null ? null : ownNumber(filled_seq),
      closing: closing && {
        ...closing,
        decided: ownNumber(closing.decided),
        decided_seq: ownNumber(closing.decided_seq),
      },
    };
  };
  const ownNumbers = (outcomes: Outcomes): Outcomes =>
    new Map([...outcomes].map(([id, outcome]) => [id, 'refused' in outcome ? outcome : withOwnNumbers(outcome)]));
  return { feed, postings, ownNumbers };
}
