import { describe, expect, jest, mock, test } from 'bun:test';
import { createThrottle } from './rest-throttle.ts';

describe('createThrottle', () => {
  test('spaces out concurrent calls, the first without delay, and does not delay a call after a pause', async () => {
    jest.useFakeTimers();
    const sleep = mock(async (_ms: number) => undefined);
    const throttle = createThrottle(40, 0, sleep);
    await Promise.all([throttle.take(), throttle.take(), throttle.take()]);
    expect(sleep.mock.calls).toEqual([[40], [40]]);
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
    expect(sleep.mock.calls).toEqual([[40], [960], [40]]);
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

  test('lets requests in the background wait for all others, and keeps the burst from them', async () => {
    jest.useFakeTimers();
    const waits: (() => void)[] = [];
    const sleep = mock((_ms: number) => new Promise<void>((resolve) => waits.push(resolve)));
    const throttle = createThrottle(10, 100, sleep);
    const order: string[] = [];
    const send = (name: string, isBackground: boolean) => throttle.take(1, isBackground).then(() => order.push(name));
    await send('background 1', true);
    const last = send('background 2', true);
    // The first of all has room. The second waits for its interval, although the burst is unused.
    expect([order, sleep.mock.calls, throttle.isBusy]).toEqual([['background 1'], [[10]], true]);
    await Promise.all([send('chart 1', false), send('chart 2', false)]);
    expect(order).toEqual(['background 1', 'chart 1', 'chart 2']);
    expect(sleep.mock.calls.at(-1)).toEqual([30]);
    waits.at(-1)!();
    await last;
    expect(throttle.isBusy).toBe(false);
    jest.useRealTimers();
  });
});
