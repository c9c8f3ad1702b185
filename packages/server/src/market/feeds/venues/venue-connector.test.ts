import { describe, expect, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import { FakeVenue } from '../../../../testing/feeds/fake-venue.fixture.ts';
import { connectorFor, VENUES_UNDER_TEST } from '../../../../testing/feeds/venues-under-test.fixture.ts';
import { createThrottle } from './venue-connector.ts';

test.each(VENUES_UNDER_TEST)('$name says how many decimals its prices have', async (venue) => {
  await using fake = new FakeVenue(venue.protocol());
  const precision = await connectorFor(venue, fake).fetchPrecision!();
  const digits = venue.name === 'kraken' ? 1 : 2;
  expect([...precision.values()]).toEqual([{ digits }, { digits }]);
  expect(precision.has(asSymbol(venue.instrument))).toBe(true);
});

describe('createThrottle', () => {
  test('spaces out concurrent calls, the first without delay', async () => {
    const throttle = createThrottle(40);
    const began = performance.now();
    const turns = await Promise.all([1, 2, 3].map(() => throttle().then(() => performance.now() - began)));
    expect(turns[0]).toBeLessThan(30);
    // A timer may fire a fraction of a millisecond early.
    expect(turns[1]! - turns[0]!).toBeGreaterThan(30);
    expect(turns[2]!).toBeGreaterThan(78);
  });

  test('does not delay a call after a pause', async () => {
    const throttle = createThrottle(20);
    await throttle();
    await Bun.sleep(30);
    const began = performance.now();
    await throttle();
    expect(performance.now() - began).toBeLessThan(15);
  });
});
