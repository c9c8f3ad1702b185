import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type PriceEvent } from '@tickwire/engine';
import fc from 'fast-check';
import { ClockOffset, PriceDelay } from './venue-delay.ts';

const symbol = asSymbol('BTCUSD');
const trade = (time: number): PriceEvent => ({
  kind: 'trade',
  symbol,
  time: asEpochMs(time),
  price: 1,
  size: 1,
  side: 'buy',
  sideMethod: null,
});
const quote = (time: number): PriceEvent => ({
  kind: 'quote',
  symbol,
  time: asEpochMs(time),
  bid: 1,
  ask: 2,
  bidSize: 1,
  askSize: 1,
});

describe('the delay of prices', () => {
  test('is that of the newest thousand trades', () => {
    const delay = new PriceDelay();
    expect(delay.value).toBeNull();
    for (let at = 0; at < 5_000; at++) delay.observe([trade(at)], at + 900);
    for (let at = 0; at < 1_024; at++) delay.observe([trade(at)], at + (at % 100 === 0 ? 300 : 40));
    expect(delay.value).toEqual({ p50: 40, p99: 300 });
  });

  test('is that of quotes only if there are no trades: their times may be ours', () => {
    const delay = new PriceDelay();
    delay.observe([quote(0)], 5);
    expect(delay.value).toEqual({ p50: 5, p99: 5 });
    delay.observe([quote(0), trade(0), quote(0)], 70);
    delay.observe([quote(100)], 100);
    expect(delay.value).toEqual({ p50: 70, p99: 70 });
  });
});

describe('the offset of a clock', () => {
  test('is known to within half a second after one response, and better after many', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -90_000, max: 90_000 }),
        fc.array(
          fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 300 }), fc.integer({ max: 9_999 })),
          {
            minLength: 1,
            maxLength: 60,
          },
        ),
        (offset, responses) => {
          const clock = new ClockOffset();
          let now = 1_800_000_000_000;
          let width = Number.POSITIVE_INFINITY;
          for (const [there, back, pause] of responses) {
            now += 5_000 + Math.abs(pause);
            const made = now + there + offset;
            clock.observe(made - (((made % 1_000) + 1_000) % 1_000), now, now + there + back);
            width = Math.min(width, 1_000 + there + back);
            expect(Math.abs(clock.value! - offset)).toBeLessThanOrEqual(width / 2 + 1);
          }
        },
      ),
    );
  });

  test('follows a clock that was set', () => {
    const clock = new ClockOffset();
    expect(clock.value).toBeNull();
    for (let at = 0; at < 50; at++) clock.observe(at * 1_000, at * 1_000 + 37, at * 1_000 + 60);
    expect(Math.abs(clock.value!)).toBeLessThan(520);
    for (let at = 50; at < 60; at++) clock.observe(at * 1_000 + 3_000, at * 1_000 + 37, at * 1_000 + 60);
    expect(Math.abs(clock.value! - 3_000)).toBeLessThan(520);
  });
});
