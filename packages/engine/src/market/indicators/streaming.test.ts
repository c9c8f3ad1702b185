// Streaming equals batch, for any inputs and any way the bars arrive: forming, closed, corrected.
import { expect, test } from 'bun:test';
import { INDICATOR_CATALOGUE, type IndicatorEntry, type IndicatorInput, indicatorOf } from '@tickwire/contract';
import fc from 'fast-check';
import { asEpochMs, HOUR_MS } from '../time.ts';
import type { IndicatorBar, Restore } from './indicator.ts';
import { definitionOf, IndicatorSeries } from './indicators.ts';

const START = Date.UTC(2026, 2, 2);

const price = fc.integer({ min: 900, max: 1_100 }).map((points) => points / 10);
const bar = fc.record({
  open: price,
  close: price,
  up: fc.nat(20),
  down: fc.nat(20),
  buys: fc.nat(9),
  sells: fc.nat(9),
});
type Draft = { open: number; close: number; up: number; down: number; buys: number; sells: number };
const barAt = (at: number, { open, close, up, down, buys, sells }: Draft): IndicatorBar => ({
  time: asEpochMs(START + at * HOUR_MS),
  open,
  close,
  high: Math.max(open, close) + up / 10,
  low: Math.min(open, close) - down / 10,
  volume: buys + sells,
  askVolume: buys,
  bidVolume: sells,
  basis: 'trade',
});

/** A bar as it arrives: some states of it while it forms, and later corrections, counted in bars. */
const arrival = fc.record({
  bar,
  drafts: fc.array(bar, { maxLength: 2 }),
  corrected: fc.option(fc.record({ back: fc.integer({ min: 1, max: 8 }), bar }), { freq: 4 }),
});

const sampleOf = (input: IndicatorInput): fc.Arbitrary<string> => {
  if ('choices' in input) {
    const times = input.kind === 'anchor' ? [new Date(START + 5 * HOUR_MS).toISOString()] : [];
    return fc.constantFrom(...input.choices, ...times);
  }
  return input.kind === 'integer'
    ? fc.integer({ min: input.least, max: 12 }).map(String)
    : fc.integer({ min: 1, max: 300 }).map((hundredths) => String(hundredths / 100));
};

test.each((INDICATOR_CATALOGUE as readonly IndicatorEntry[]).map((entry) => [entry.name, entry] as const))(
  '%s',
  (name, { inputs }) => {
    const given = fc.record(Object.fromEntries(inputs.map((input) => [input.name, sampleOf(input)])));
    fc.assert(
      fc.property(given, fc.array(arrival, { minLength: 1, maxLength: 60 }), (values, arrivals) => {
        const spec = indicatorOf(name, values);
        const start = (): IndicatorSeries => new IndicatorSeries(definitionOf(spec), spec.inputs);
        const streamed = start();
        const closed: { bar: IndicatorBar; restore: Restore }[] = [];
        const add = (each: IndicatorBar) => {
          closed.push({ bar: each, restore: streamed.save() });
          return streamed.add(each);
        };
        for (const [at, { bar: final, drafts, corrected }] of arrivals.entries()) {
          for (const draft of drafts) streamed.preview(barAt(at, draft));
          const preview = streamed.preview(barAt(at, final));
          expect(add(barAt(at, final))).toEqual(preview);
          const from = corrected ? at - corrected.back : -1;
          if (!corrected || from < 0) continue;
          const undone = closed.splice(from);
          undone[0]!.restore();
          add(barAt(from, corrected.bar));
          for (const later of undone.slice(1)) add(later.bar);
        }
        const batch = start();
        let last = batch.preview(closed[0]!.bar);
        for (const each of closed) last = batch.add(each.bar);
        const next = barAt(arrivals.length, arrivals[0]!.bar);
        expect(streamed.preview(next)).toEqual(batch.preview(next));
        closed.at(-1)!.restore();
        expect(streamed.add(closed.at(-1)!.bar)).toEqual(last);
      }),
      { numRuns: 500 },
    );
  },
);
