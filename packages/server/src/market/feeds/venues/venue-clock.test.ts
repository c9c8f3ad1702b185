import { expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import fc from 'fast-check';
import { VenueClock } from './venue-clock.ts';

const BTC = asSymbol('BTCUSDT');
const ETH = asSymbol('ETHUSDT');

test('uses local time before the first trade', () => {
  expect(new VenueClock().timeOf(BTC, 5_000)).toBe(asEpochMs(5_000));
});

test('puts quotes and trades on one clock if the local clock is behind or ahead', () => {
  for (const skew of [-5_000, -1_270, 0, 1_270, 5_000]) {
    const clock = new VenueClock();
    const local = 1_700_000_000_000;
    clock.observe(BTC, asEpochMs(local + skew - 30), local);
    clock.observe(BTC, asEpochMs(local + 10 + skew - 2), local + 10);
    clock.observe(BTC, asEpochMs(local + 20 + skew - 90), local + 20);
    expect(clock.timeOf(ETH, local + 100)).toBe(asEpochMs(local + 100 + skew - 2));
  }
});

test('follows a corrected local clock within two windows', () => {
  const clock = new VenueClock();
  let local = 1_700_000_000_000;
  clock.observe(BTC, asEpochMs(local + 10_000), local);
  for (let n = 0; n < 70; n++) {
    local += 1_000;
    clock.observe(BTC, asEpochMs(local), local);
  }
  expect(clock.timeOf(ETH, local)).toBe(asEpochMs(local));
});

test('never dates a quote before an earlier event of its symbol', () => {
  const step = fc.record({ trade: fc.boolean(), ahead: fc.integer({ min: -3_000, max: 3_000 }), ms: fc.nat(40_000) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const clock = new VenueClock();
      let local = 1_700_000_000_000;
      let latest = 0;
      for (const { trade, ahead, ms } of steps) {
        local += ms;
        if (trade) {
          clock.observe(BTC, asEpochMs(local + ahead), local);
          latest = Math.max(latest, local + ahead);
        } else {
          const time = clock.timeOf(BTC, local);
          expect(Number.isInteger(time)).toBe(true);
          expect(time).toBeGreaterThanOrEqual(latest);
          latest = time;
        }
      }
    }),
  );
});

test('ignores a trade with an absurd time', () => {
  const clock = new VenueClock();
  const local = 1_700_000_000_000;
  clock.observe(BTC, asEpochMs(4_000_000_000_000), local);
  clock.observe(BTC, asEpochMs(1_000_000), local);
  expect(clock.timeOf(BTC, local)).toBe(asEpochMs(local));
});

test('follows a local clock that is set back by minutes', () => {
  const clock = new VenueClock();
  const local = 1_700_000_000_000;
  clock.timeOf(BTC, local + 600_000);
  expect(clock.timeOf(BTC, local)).toBe(asEpochMs(local));
});
