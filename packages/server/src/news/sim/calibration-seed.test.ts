import { expect, test } from 'bun:test';
import { CATALOGUE, HOUR_MS } from '@tickwire/engine';
import { eventually } from '../../../testing/process.fixture.ts';
import { StoreError } from '../../errors/store-error.ts';
import { SimMarket } from '../../market/feeds/sim/sim-market.ts';
import { createLog } from '../../ops/log.ts';
import { CalibrationSeed } from './calibration-seed.ts';

const NOW = Date.UTC(2026, 4, 20, 10);
const FIRST_DAY = 'calibration_seed_first_day';
const market = new SimMarket(CATALOGUE, { seed: 7, rate: 50, hours: 'always' });

interface Failures {
  store?: Error;
  market?: Error;
}

/** A seed whose store and market work while `failures` has nothing for them. */
function seedWith(failures: Failures) {
  const state = { now: NOW, attempts: 0 };
  const numbers = new Map<string, number>();
  const lines: string[] = [];
  const seed = new CalibrationSeed({
    market: async () => {
      state.attempts++;
      if (failures.market) throw failures.market;
      return market;
    },
    instruments: CATALOGUE,
    models: {
      list: () => [],
      score: async () => [],
    },
    news: { calibration: async () => ({ rows: [], since: null }), putMeasured: async () => {} },
    numbers: {
      number: async (name) => {
        if (failures.store) throw failures.store;
        return numbers.get(name);
      },
      setNumber: async (name, value) => {
        numbers.set(name, value);
      },
    },
    history: { bars: async () => [] },
    now: () => state.now,
    days: 1,
    unread: false,
    planAgainMs: 5,
    log: createLog({ level: 'info', plain: true, write: (line) => lines.push(line) }),
  });
  return { seed, state, numbers, lines };
}

test('is planned once the store works again, and a store that fails is logged once', async () => {
  const failures: Failures = { store: new StoreError('the store is gone') };
  const { seed, numbers, lines } = seedWith(failures);
  seed.start();
  await eventually('the failure', () => lines.length > 0);
  // More attempts fail.
  await Bun.sleep(50);
  delete failures.store;
  await eventually('the plan', () => numbers.has(FIRST_DAY));
  await seed.stop();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('waits for the store');
});

test('a market that fails is logged once, and reads try again only after a pause', async () => {
  const { seed, state, lines } = seedWith({ market: new Error('the market is gone') });
  seed.fill();
  await eventually('the failure', () => lines.length > 0);
  seed.fill();
  expect(state.attempts).toBe(1);
  state.now += HOUR_MS;
  await eventually('another attempt', () => {
    seed.fill();
    return state.attempts === 2;
  });
  await seed.stop();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('filling the calibration of news failed');
});
