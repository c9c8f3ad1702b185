import { describe, expect, test } from 'bun:test';
import { CircuitBreaker } from './circuit-breaker.ts';

function breakerAt(): { breaker: CircuitBreaker; pass: (ms: number) => void; fail: (times: number) => void } {
  let now = 1_000_000;
  const breaker = new CircuitBreaker(() => now);
  return {
    breaker,
    pass: (ms) => {
      now += ms;
    },
    fail: (times) => {
      for (let time = 0; time < times; time++) {
        expect(breaker.enter()).toBe(true);
        breaker.failed();
      }
    },
  };
}

describe('the circuit breaker', () => {
  test('opens after five failures in a row, not after four', () => {
    const { breaker, fail } = breakerAt();
    fail(4);
    expect(breaker.state).toBe('closed');
    breaker.succeeded();
    fail(4);
    expect(breaker.state).toBe('closed');
    fail(1);
    expect([breaker.state, breaker.enter(), breaker.restsMs]).toEqual(['open', false, 30_000]);
  });

  test('lets one call through after its rest, and closes where that works', () => {
    const { breaker, fail, pass } = breakerAt();
    fail(5);
    pass(29_999);
    expect(breaker.enter()).toBe(false);
    pass(1);
    expect(breaker.state).toBe('half_open');
    expect([breaker.enter(), breaker.enter()]).toEqual([true, false]);
    breaker.succeeded();
    expect([breaker.state, breaker.enter(), breaker.enter()]).toEqual(['closed', true, true]);
  });

  test('rests twice as long after each call that failed again, ten minutes at most', () => {
    const { breaker, fail, pass } = breakerAt();
    fail(5);
    const rests: number[] = [];
    for (let time = 0; time < 7; time++) {
      rests.push(breaker.restsMs / 1000);
      pass(breaker.restsMs);
      fail(1);
    }
    expect(rests).toEqual([30, 60, 120, 240, 480, 600, 600]);
    pass(breaker.restsMs);
    breaker.enter();
    breaker.succeeded();
    fail(5);
    expect(breaker.restsMs).toBe(30_000);
  });

  test('calls that were under way when it opened do not lengthen the rest', () => {
    const { breaker } = breakerAt();
    for (let call = 0; call < 9; call++) breaker.enter();
    for (let call = 0; call < 9; call++) breaker.failed();
    expect(breaker.restsMs).toBe(30_000);
  });

  test('a trial that was given up lets another through', () => {
    const { breaker, fail, pass } = breakerAt();
    fail(5);
    pass(30_000);
    breaker.enter();
    breaker.left();
    expect(breaker.enter()).toBe(true);
  });

  test('rests for as long as it is asked to, within bounds', () => {
    const { breaker, pass } = breakerAt();
    breaker.rest(5_000);
    expect([breaker.state, breaker.enter()]).toEqual(['open', false]);
    pass(5_000);
    expect(breaker.state).toBe('closed');
    breaker.rest(Number.MAX_SAFE_INTEGER);
    expect(breaker.restsMs).toBe(600_000);
  });
});
