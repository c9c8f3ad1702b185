import { expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, type PriceEvent } from '@tickwire/engine';
import { SimMarket } from './sim-market.ts';

const START = Date.parse('2026-05-06T12:00:00Z');
const at = (offset: number) => asEpochMs(START + offset);

test('generates ticks fast enough for the highest load', () => {
  const sim = new SimMarket(CATALOGUE, { seed: 7, rate: 100_000, hours: 'always' });
  const batch: PriceEvent[] = [];
  const live = (from: number, to: number): number => {
    let count = 0;
    for (let offset = from; offset < to; offset += 25) {
      batch.length = 0;
      count += sim.collect(at(offset), at(offset + 25), batch).length;
    }
    return count;
  };
  live(0, 3000);
  const begun = performance.now();
  const count = live(3000, 9000);
  const perSecond = (count / (performance.now() - begun)) * 1000;
  console.log(`simulated ticks: ${(perSecond / 1e6).toFixed(1)} million a second`);
  // A third of the target, so that the test does not fail on a busy machine.
  expect(perSecond).toBeGreaterThan(500_000);
});
