// Several histories in one stream, each in its own order.
import type { NaiveCourse } from './naive-judge.fixture.ts';
import type { History } from './random-feed.fixture.ts';
import type { Courses, FeedItem, Posting } from './verifier-run.fixture.ts';

export interface Interleaved {
  readonly feed: readonly FeedItem[];
  readonly postings: readonly Posting[];
  /** Courses with the numbers that the events have in their own history. */
  ownNumbers(courses: Courses): Courses;
}

/** `picks` says whose turn it is, over and over. */
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
  const withOwnNumbers = (course: NaiveCourse): NaiveCourse => {
    const { filled_seq, closing } = course;
    return {
      ...course,
      filled_seq: filled_seq === null ? null : ownNumber(filled_seq),
      closing: closing && {
        ...closing,
        decided: ownNumber(closing.decided),
        decided_seq: ownNumber(closing.decided_seq),
      },
    };
  };
  const ownNumbers = (courses: Courses): Courses =>
    new Map([...courses].map(([id, course]) => [id, 'refused' in course ? course : withOwnNumbers(course)]));
  return { feed, postings, ownNumbers };
}
