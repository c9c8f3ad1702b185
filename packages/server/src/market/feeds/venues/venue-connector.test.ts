import { describe, expect, test } from 'bun:test';
import { createThrottle } from './venue-connector.ts';

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
