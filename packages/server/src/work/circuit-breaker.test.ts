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
    expect([breaker.state, breaker.enter(), breaker.retryInMs]).toEqual(['open', false, 30_000]);
  });

  test('allows one trial call after the pause, and closes if it succeeds', () => {
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

  test('doubles the pause after each failed trial, up to ten minutes', () => {
    const { breaker, fail, pass } = breakerAt();
    fail(5);
    const rests: number[] = [];
    for (let time = 0; time < 7; time++) {
      rests.push(breaker.retryInMs / 1000);
      pass(breaker.retryInMs);
      fail(1);
    }
    expect(rests).toEqual([30, 60, 120, 240, 480, 600, 600]);
    pass(breaker.retryInMs);
    breaker.enter();
    breaker.succeeded();
    fail(5);
    expect(breaker.retryInMs).toBe(30_000);
  });

  test('calls that were running when it opened do not extend the pause', () => {
    const { breaker } = breakerAt();
    for (let call = 0; call < 9; call++) breaker.enter();
    for (let call = 0; call < 9; call++) breaker.failed();
    expect(breaker.retryInMs).toBe(30_000);
  });

  test('a cancelled trial allows another one', () => {
    const { breaker, fail, pass } = breakerAt();
    fail(5);
    pass(30_000);
    breaker.enter();
    breaker.cancelled();
    expect(breaker.enter()).toBe(true);
  });

  test('pauses for as long as requested, up to ten minutes', () => {
    const { breaker, pass } = breakerAt();
    breaker.pause(5_000);
    expect([breaker.state, breaker.enter()]).toEqual(['open', false]);
    pass(5_000);
    expect(breaker.state).toBe('closed');
    breaker.pause(Number.MAX_SAFE_INTEGER);
    expect(breaker.retryInMs).toBe(600_000);
  });
});
