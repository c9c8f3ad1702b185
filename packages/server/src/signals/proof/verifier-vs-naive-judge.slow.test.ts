// The engine's verifier against the naive judge: a hundred thousand random signals over real ticks, all signals of an
// instrument active at the same time. Every result must be equal to the last digit.
import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE, DAY_MS, type InstrumentSpec, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { type NaiveOutcome, naiveOutcome } from '../../../testing/signals/naive-judge.fixture.ts';
import { type NaiveEvent, naiveInTicks } from '../../../testing/signals/naive-market.fixture.ts';
import { Random } from '../../../testing/signals/random.fixture.ts';
import { RandomSignals } from '../../../testing/signals/random-signals.fixture.ts';
import { bitcoinQuotes, goldQuotes, type RealQuote } from '../../../testing/signals/real-ticks.fixture.ts';
import { type Posting, verifierOutcomes } from '../../../testing/signals/verifier-run.fixture.ts';

const SEED = 20_140_501;
const SIGNALS = 100_000;
const LEAST_OF_EACH_REASON = 500;

const named = (symbol: string): InstrumentSpec => CATALOGUE.find((spec) => spec.symbol === symbol)!;
const GOLD = named('XAUUSD');
const BITCOIN: InstrumentSpec = { ...named('BTCUSD'), symbol: asSymbol('BTCUSDT') };

/** Quotes, and a clock event at every full second between two of them. */
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

describe('the verifier and the naive judge', () => {
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
      const expected = new Map<string, ReturnType<typeof naiveOutcome>>();
      const naiveFrom = performance.now();
      for (let accepted = 0; accepted < SIGNALS * share; ) {
        const posting = signals.next();
        const { request, publishedAt, index, manual } = posting;
        const outcome = naiveOutcome(spec, request, publishedAt, ticks, index, manual);
        postings.push(posting);
        expected.set(posting.id, outcome);
        if (!('refused' in outcome)) accepted++;
        for (const end of endsOf(outcome)) count(end);
      }
      const verifierFrom = performance.now();
      const feed = events.map((event) => ({ symbol, event }));
      const outcomes = verifierOutcomes([spec], feed, postings);
      spent.naive += verifierFrom - naiveFrom;
      spent.verifier += performance.now() - verifierFrom;

      expect(outcomes.size).toBe(postings.length);
      for (const posting of postings) {
        const [theirs, ours] = [outcomes.get(posting.id), expected.get(posting.id)];
        if (!Bun.deepEquals(theirs, ours, true))
          expect({ posting, outcome: theirs }).toEqual({ posting, outcome: ours! });
      }
    }
    console.log(`seed ${SEED}:`, Object.fromEntries([...ends].sort()));
    console.log(`naive ${Math.round(spent.naive)} ms, verifier ${Math.round(spent.verifier)} ms`);
    for (const reason of ['take_profit', 'stop_loss', 'manual', 'expired', 'unfilled']) {
      expect([reason, ends.get(reason)! >= LEAST_OF_EACH_REASON]).toEqual([reason, true]);
    }
  }, 120_000);
});

function endsOf(outcome: ReturnType<typeof naiveOutcome>): string[] {
  if ('refused' in outcome) return [`refused by rule ${outcome.refused}`];
  return [`${outcome.order} entry`, endOf(outcome)];
}

const endOf = ({ closing, entry_price }: NaiveOutcome): string =>
  closing?.reason ?? (entry_price === null ? 'still pending' : 'still filled');
