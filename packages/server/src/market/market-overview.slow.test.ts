import { expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, MINUTE_MS } from '@tickwire/engine';
import { computed } from '../../testing/event-loop.fixture.ts';
import { tickEvents } from '../../testing/market-events.fixture.ts';
import { MarketOverview } from './market-overview.ts';
import { MarketView } from './market-view.ts';

const MONDAY = Date.UTC(2026, 2, 2);
const QUARTER = 15 * MINUTE_MS;

test('all instruments of the catalogue take less than 20 ms of computing', () => {
  const view = new MarketView(CATALOGUE);
  const overview = new MarketOverview(view);
  for (const { symbol } of CATALOGUE)
    for (let step = 0; step < 200; step++) {
      const [tick] = tickEvents(1, [symbol]);
      view.replay([{ ...tick!, time: asEpochMs(MONDAY + step * QUARTER) }]);
    }
  const now = MONDAY + 199 * QUARTER + 5;
  const read = (): string[] => CATALOGUE.map((spec) => overview.of(spec, now));
  read();
  const before = computed();
  expect(read()).toHaveLength(CATALOGUE.length);
  expect(computed() - before).toBeLessThan(20);
});
