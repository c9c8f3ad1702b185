import { expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import fc from 'fast-check';
import { VenueClock } from './venue-clock.ts';

const BTC = asSymbol('BTCUSDT');
const ETH = asSymbol('ETHUSDT');

test('before the first trade the time is our own', () => {
  expect(new VenueClock().at(BTC, 5_000)).toBe(asEpochMs(5_000));
});

test('a clock of ours that is behind or ahead does not part quotes from trades', () => {
  for (const skew of [-5_000, -1_270, 0, 1_270, 5_000]) {
    const clock = new VenueClock();
    const local = 1_700_000_000_000;
    clock.saw(BTC, asEpochMs(local + skew - 30), local);
    clock.saw(BTC, asEpochMs(local + 10 + skew - 2), local + 10);
    clock.saw(BTC, asEpochMs(local + 20 + skew - 90), local + 20);
    expect(clock.at(ETH, local + 100)).toBe(asEpochMs(local + 100 + skew - 2));
  }
});

test('a clock that was set right is believed again within two windows', () => {
  const clock = new VenueClock();
  let local = 1_700_000_000_000;
  clock.saw(BTC, asEpochMs(local + 10_000), local);
  for (let n = 0; n < 70; n++) {
    local += 1_000;
    clock.saw(BTC, asEpochMs(local), local);
  }
  expect(clock.at(ETH, local)).toBe(asEpochMs(local));
});

test('a quote is never dated before what its symbol showed earlier', () => {
  const step = fc.record({ trade: fc.boolean(), ahead: fc.integer({ min: -3_000, max: 3_000 }), ms: fc.nat(40_000) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const clock = new VenueClock();
      let local = 1_700_000_000_000;
      let latest = 0;
      for (const { trade, ahead, ms } of steps) {
        local += ms;
        if (trade) {
          clock.saw(BTC, asEpochMs(local + ahead), local);
          latest = Math.max(latest, local + ahead);
        } else {
          const time = clock.at(BTC, local);
          expect(Number.isInteger(time)).toBe(true);
          expect(time).toBeGreaterThanOrEqual(latest);
          latest = time;
        }
      }
    }),
  );
});

test('one trade from another century does not carry the quotes away', () => {
  const clock = new VenueClock();
  const local = 1_700_000_000_000;
  clock.saw(BTC, asEpochMs(4_000_000_000_000), local);
  clock.saw(BTC, asEpochMs(1_000_000), local);
  expect(clock.at(BTC, local)).toBe(asEpochMs(local));
});

test('a clock of ours that is set back by minutes is followed', () => {
  const clock = new VenueClock();
  const local = 1_700_000_000_000;
  clock.at(BTC, local + 600_000);
  expect(clock.at(BTC, local)).toBe(asEpochMs(local));
});
