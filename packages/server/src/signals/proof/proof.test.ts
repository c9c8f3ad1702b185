// The engine's verifier against the naive judge: a hundred thousand random signals over real ticks, all of one instrument
// active side by side, and every one the same to the last digit.
import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import { type NaiveCourse, naiveCourse } from './naive-judge.fixture.ts';
import { type NaiveEvent, naiveInTicks } from './naive-market.fixture.ts';
import { Random } from './random.fixture.ts';
import { RandomSignals } from './random-signals.fixture.ts';
import { bitcoinQuotes, goldQuotes, type RealQuote, realTicksMissing } from './real-ticks.fixture.ts';
import { type Posting, verifierCourses } from './verifier-run.fixture.ts';

const SEED = 20_140_501;
const SIGNALS = 100_000;
const LEAST_OF_EACH_REASON = 500;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const named = (symbol: string): InstrumentSpec => CATALOGUE.find((spec) => spec.symbol === symbol)!;
const GOLD = named('XAUUSD');
const BITCOIN: InstrumentSpec = { ...named('BTCUSD'), symbol: asSymbol('BTCUSDT') };

/** Quotes, and a clock at every full second that passes between two of them. */
function withClocks(quotes: readonly RealQuote[], firstSeq: number): NaiveEvent[] {
  const events: NaiveEvent[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const quote of quotes) {
    const second = Math.floor(quote.time / SECOND_MS) * SECOND_MS;
    if (second > last) events.push({ kind: 'clock', seq: firstSeq + events.length, time: second });
    events.push({ kind: 'quote', seq: firstSeq + events.length, ...quote });
    last = quote.time;
  }
  return events;
}

interface Trial {
  readonly spec: InstrumentSpec;
  readonly quotes: () => Promise<RealQuote[]>;
  readonly share: number;
  readonly farthest: number;
  readonly usualLife: number;
  readonly longestLife: number;
}

const TRIALS: readonly Trial[] = [
  { spec: GOLD, quotes: goldQuotes, share: 0.4, farthest: 120_000, usualLife: 20 * MINUTE_MS, longestLife: 5 * DAY_MS },
  { spec: BITCOIN, quotes: bitcoinQuotes, share: 0.6, farthest: 30_000, usualLife: MINUTE_MS, longestLife: DAY_MS },
];

describe.skipIf(realTicksMissing())('the verifier and the naive judge', () => {
  test(`agree on ${SIGNALS} random signals over real ticks`, async () => {
    const random = new Random(SEED);
    const ends = new Map<string, number>();
    const count = (end: string): void => void ends.set(end, (ends.get(end) ?? 0) + 1);
    const spent = { naive: 0, verifier: 0 };
    for (const { spec, quotes, share, farthest, usualLife, longestLife } of TRIALS) {
      const { symbol, digits } = spec;
      const events = withClocks(await quotes(), 1_000);
      const ticks = naiveInTicks(events, digits);
      const signals = new RandomSignals(random, { symbol, digits, events: ticks, farthest, usualLife, longestLife });

      const postings: Posting[] = [];
      const expected = new Map<string, ReturnType<typeof naiveCourse>>();
      const naiveFrom = performance.now();
      for (let accepted = 0; accepted < SIGNALS * share; ) {
        const posting = signals.next();
        const { request, publishedAt, index, manual } = posting;
        const course = naiveCourse(spec, request, publishedAt, ticks, index, manual);
        postings.push(posting);
        expected.set(posting.id, course);
        if (!('refused' in course)) accepted++;
        for (const end of endsOf(course)) count(end);
      }
      const verifierFrom = performance.now();
      const feed = events.map((event) => ({ symbol, event }));
      const courses = verifierCourses([spec], feed, postings);
      spent.naive += verifierFrom - naiveFrom;
      spent.verifier += performance.now() - verifierFrom;

      expect(courses.size).toBe(postings.length);
      for (const posting of postings) {
        const [theirs, ours] = [courses.get(posting.id), expected.get(posting.id)];
        if (!Bun.deepEquals(theirs, ours, true))
          expect({ posting, course: theirs }).toEqual({ posting, course: ours! });
      }
    }
    console.log(`seed ${SEED}:`, Object.fromEntries([...ends].sort()));
    console.log(`naive ${Math.round(spent.naive)} ms, verifier ${Math.round(spent.verifier)} ms`);
    for (const reason of ['take_profit', 'stop_loss', 'manual', 'expired', 'unfilled']) {
      expect([reason, ends.get(reason)! >= LEAST_OF_EACH_REASON]).toEqual([reason, true]);
    }
  }, 120_000);
});

function endsOf(course: ReturnType<typeof naiveCourse>): string[] {
  if ('refused' in course) return [`refused by rule ${course.refused}`];
  return [`${course.order} entry`, endOf(course)];
}

const endOf = ({ closing, entry_price }: NaiveCourse): string =>
  closing?.reason ?? (entry_price === null ? 'still pending' : 'still filled');
