// Headlines of the past, read in pages as the clock moves.
import { expect, test } from 'bun:test';
import { newsDetail } from '../../testing/news.fixture.ts';
import type { NewsRevision } from '../store/news-store.ts';
import { NewsTape } from './news-tape.ts';

/** Many at one time, more than a page. Each third is of a source that is hidden. */
const REVISIONS: readonly NewsRevision[] = Array.from({ length: 500 }, (_, n) => ({
  knownAt: n < 100 ? n : n < 400 ? 100 : n,
  item: newsDetail(`n${String(n).padStart(3, '0')}`, { source: n % 3 === 0 ? 'hidden' : 'a wire', cluster: 4 }),
  revised: n % 2 === 0,
}));
const TO = 480;

function open(from: number) {
  const reads: number[] = [];
  const store = {
    async revisionsAfter({ knownAt, id }: { knownAt: number; id: string }, to: number, limit: number) {
      const found = REVISIONS.filter(
        (each) => each.knownAt <= to && (each.knownAt > knownAt || (each.knownAt === knownAt && each.item.id > id)),
      ).slice(0, limit);
      reads.push(found.length);
      return found;
    },
  };
  return { tape: new NewsTape({ store, hidden: 'hidden', from, to: TO }), reads };
}
const expected = (from: number, to: number): string[] =>
  REVISIONS.filter(({ knownAt, item }) => knownAt > from && knownAt <= to && item.source !== 'hidden').map(
    ({ item }) => item.id,
  );

test.each([1, 7, 99, 480])('each is taken once, at its time, if the clock moves by %d ms', async (step) => {
  const { tape } = open(9);
  for (let from = 9; from < TO; from += step) {
    const to = Math.min(TO, from + step);
    await tape.load(to);
    expect(tape.take(to).map(({ event }) => event.item.id)).toEqual(expected(from, to));
  }
});

test('no more than a page is read ahead, and nothing twice', async () => {
  const { tape, reads } = open(-1);
  await tape.load(5);
  expect(reads).toEqual([100]);
  await tape.load(90);
  expect(reads).toEqual([100]);
  await tape.load(TO);
  await tape.load(TO);
  expect(reads.reduce((sum, read) => sum + read, 0)).toBe(REVISIONS.filter(({ knownAt }) => knownAt <= TO).length);
});

test('they are announced as in the present, without the sources that reported them later', async () => {
  const { tape } = open(-1);
  await tape.load(2);
  expect(tape.take(2)).toEqual(
    REVISIONS.slice(1, 3).map(({ knownAt, item, revised }) => ({
      arrival: knownAt,
      event: { kind: 'news', item: { ...item, cluster: 1 }, revised },
      source: '',
    })),
  );
});
