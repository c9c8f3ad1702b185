import { describe, expect, jest, mock, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import { fakeBinanceusdm } from '../../../../testing/feeds/fake-binanceusdm.fixture.ts';
import { fakeHyperliquid } from '../../../../testing/feeds/fake-hyperliquid.fixture.ts';
import { FakeVenue } from '../../../../testing/feeds/fake-venue.fixture.ts';
import {
  connectorFor,
  VENUES_UNDER_TEST,
  VENUES_WITHOUT_IDS,
} from '../../../../testing/feeds/venues-under-test.fixture.ts';
import { sleepAtOnce } from '../../../../testing/instant-sleep.fixture.ts';
import { binanceusdm } from './binanceusdm/binanceusdm.ts';
import { VENUES } from './registry.ts';
import { DEFAULT_TIMING } from './venue.ts';
import { createThrottle, venueRest } from './venue-connector.ts';

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

describe('the budget of a venue', () => {
  const SECONDS_10 = 10_000;
  const waits = async (faults: readonly '429'[], paths: readonly string[]) => {
    const venue = VENUES_UNDER_TEST.find(({ name }) => name === 'binanceusdm')!;
    await using fake = new FakeVenue(venue.protocol(), { retryAfter: 50 });
    fake.restFaults.push(...faults);
    const sleep = sleepAtOnce();
    const timing = { ...DEFAULT_TIMING, restIntervalMs: SECONDS_10 };
    for (const path of paths) await venueRest(binanceusdm, fake.restUrl, timing).get(path);
    // Loops of other tests in this process wait for milliseconds.
    const seconds = sleep.mock.calls.map(([ms]) => Math.round(Number(ms) / SECONDS_10) * 10).filter((each) => each > 0);
    sleep.mockRestore();
    return seconds;
  };

  test('is one for all connectors, and counts the weights of requests', async () => {
    const klines = '/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=1500';
    expect(await waits([], ['/fapi/v1/exchangeInfo', klines, '/fapi/v1/exchangeInfo'])).toEqual([10, 110]);
  });

  test('is used up until the time that the venue names with 429', async () => {
    // The clock stands still: the retry waits for its place as well, and takes one.
    expect(await waits(['429'], ['/fapi/v1/exchangeInfo', '/fapi/v1/exchangeInfo'])).toEqual([50, 50, 60]);
  });
});

test.each([
  ['hyperliquid', () => fakeHyperliquid(undefined, { weightsPerMinute: 60 })],
  ['binanceusdm', () => fakeBinanceusdm(undefined, { weightsPerMinute: 4 })],
])('the list of %s fails with the status if the venue is still limiting after all attempts', async (name, protocol) => {
  await using fake = new FakeVenue(protocol());
  const sleep = sleepAtOnce();
  const rest = venueRest(VENUES[name]!, fake.restUrl, { ...DEFAULT_TIMING, restIntervalMs: 0 });
  const list = () => VENUES[name]!.listInstruments!(rest);
  await expect(list().then(list)).rejects.toThrow('status 429, ');
  // The wait that the venue names, within a minute.
  expect(sleep.mock.calls.some(([ms]) => Number(ms) > 50_000 && Number(ms) <= 60_000)).toBe(true);
  sleep.mockRestore();
});

describe('createThrottle', () => {
  test('spaces out concurrent calls, the first without delay, and does not delay a call after a pause', async () => {
    jest.useFakeTimers();
    const sleep = mock(async (_ms: number) => undefined);
    const throttle = createThrottle(40, 0, sleep);
    await Promise.all([throttle.take(), throttle.take(), throttle.take()]);
    expect(sleep.mock.calls).toEqual([[40], [80]]);
    jest.advanceTimersByTime(120);
    await throttle.take();
    expect(sleep).toHaveBeenCalledTimes(2);
    jest.useRealTimers();
  });

  test('pauses calls that wait already', async () => {
    jest.useFakeTimers();
    const sleep = mock(async (_ms: number) => undefined);
    const throttle = createThrottle(40, 0, sleep);
    const calls = [throttle.take(), throttle.take(), throttle.take()];
    await calls[0];
    throttle.pause(1_000);
    await Promise.all(calls);
    // The second call was already in its wait.
    expect(sleep.mock.calls).toEqual([[40], [960], [1_040]]);
    jest.useRealTimers();
  });

  test('counts weights, allows a burst after a rest, and pauses all calls at the wish of the venue', async () => {
    jest.useFakeTimers();
    const sleep = mock(async (_ms: number) => undefined);
    const throttle = createThrottle(10, 100, sleep);
    await throttle.take(8);
    await throttle.take(4);
    expect(sleep).not.toHaveBeenCalled();
    await throttle.take();
    throttle.pause(500);
    await throttle.take();
    expect(sleep.mock.calls).toEqual([[20], [500]]);
    jest.useRealTimers();
  });
});
