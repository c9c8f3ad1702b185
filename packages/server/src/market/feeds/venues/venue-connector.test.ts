import { describe, expect, jest, spyOn, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import { FakeVenue } from '../../../../testing/feeds/fake-venue.fixture.ts';
import {
  connectorFor,
  VENUES_UNDER_TEST,
  VENUES_WITHOUT_IDS,
} from '../../../../testing/feeds/venues-under-test.fixture.ts';
import { createThrottle } from './venue-connector.ts';

test.each([...VENUES_UNDER_TEST, ...VENUES_WITHOUT_IDS])(
  '$name says how many decimals its prices have',
  async (venue) => {
    await using fake = new FakeVenue(venue.protocol());
    const precision = await connectorFor(venue, fake).fetchPrecision!();
    const digits = venue.name === 'kraken' ? 1 : 2;
    expect([...precision.values()]).toEqual([{ digits }, { digits }]);
    expect(precision.has(asSymbol(venue.instrument))).toBe(true);
  },
);

describe('createThrottle', () => {
  test('spaces out concurrent calls, the first without delay, and does not delay a call after a pause', async () => {
    jest.useFakeTimers();
    const sleep = spyOn(Bun, 'sleep').mockResolvedValue();
    const throttle = createThrottle(40);
    await Promise.all([throttle.take(), throttle.take(), throttle.take()]);
    expect(sleep.mock.calls).toEqual([[40], [80]]);
    jest.advanceTimersByTime(120);
    await throttle.take();
    expect(sleep).toHaveBeenCalledTimes(2);
    sleep.mockRestore();
    jest.useRealTimers();
  });

  test('counts weights, allows a burst after a rest, and pauses all calls at the wish of the venue', async () => {
    jest.useFakeTimers();
    const sleep = spyOn(Bun, 'sleep').mockResolvedValue();
    const throttle = createThrottle(10, 100);
    await throttle.take(8);
    await throttle.take(4);
    expect(sleep).not.toHaveBeenCalled();
    await throttle.take();
    throttle.pause(500);
    await throttle.take();
    expect(sleep.mock.calls).toEqual([[20], [500]]);
    sleep.mockRestore();
    jest.useRealTimers();
  });
});
