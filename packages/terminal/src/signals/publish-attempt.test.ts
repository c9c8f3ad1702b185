import { describe, expect, test } from 'bun:test';
import { type SignalRequest, TickwireError } from '@tickwire/client';
import { PublishAttempt } from './publish-attempt.ts';

const SIGNAL: SignalRequest = {
  ...{ symbol: 'EURUSD', direction: 'buy', order: 'market', stop_loss: 1.08, take_profit: 1.1 },
};
const failure = (status: number): TickwireError =>
  new TickwireError({ status, code: 'unavailable', detail: 'Failed' } as never);
/** A form whose signal expires that many milliseconds later. */
const expiringAfter =
  (ms: number) =>
  (now: number): SignalRequest => ({ ...SIGNAL, expires_at: new Date(now + ms).toISOString() });

/** The first requests fail. `keys`: of all of them. */
function attemptAfter(...errors: readonly TickwireError[]) {
  const keys: (string | undefined)[] = [];
  const attempt = new PublishAttempt({
    publishSignal: async (_: SignalRequest, options?: { idempotencyKey?: string }) => {
      keys.push(options?.idempotencyKey);
      const error = errors[keys.length - 1];
      if (error) throw error;
      return { id: 'sig_1' } as never;
    },
  } as never);
  return { attempt, keys };
}

async function keysAfter(error: TickwireError, second = SIGNAL): Promise<readonly (string | undefined)[]> {
  const { attempt, keys } = attemptAfter(error);
  await expect(attempt.publish(SIGNAL)).rejects.toBe(error);
  expect(await attempt.publish(second)).toBe('sig_1');
  return keys;
}

describe('the key', () => {
  test.each([0, 502])(
    'stays the same after an unknown outcome (status %p), except for a changed signal',
    async (status) => {
      const [first, second] = await keysAfter(failure(status));
      expect(first).toMatch(/^\d+(-\d+){3}$/);
      expect(second).toBe(first);
      const [before, after] = await keysAfter(failure(status), { ...SIGNAL, stop_loss: 1.07 });
      expect(after).not.toBe(before);
    },
  );

  test.each([429, 401, 403])(
    'stays the same if the repetition of an unknown outcome is rejected (status %p)',
    async (status) => {
      const { attempt, keys } = attemptAfter(failure(0), failure(status));
      for (const expected of [0, status])
        await expect(attempt.publish(SIGNAL)).rejects.toMatchObject({ status: expected });
      expect(await attempt.publish(SIGNAL)).toBe('sig_1');
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
    },
  );

  test('is that of the same signal if another was tried in between', async () => {
    const { attempt, keys } = attemptAfter(failure(0), failure(0));
    await expect(attempt.publish(SIGNAL)).rejects.toMatchObject({ status: 0 });
    await expect(attempt.publish({ ...SIGNAL, stop_loss: 1.07 })).rejects.toMatchObject({ status: 0 });
    await attempt.publish(SIGNAL);
    expect(keys[2]).toBe(keys[0]);
    expect(keys[1]).not.toBe(keys[0]);
  });

  test('is new after a rejection', async () => {
    const [first, second] = await keysAfter(failure(422));
    expect(second).not.toBe(first);
  });
});

describe('the expiry', () => {
  const HOUR = 3_600_000;
  const [FIRST, LATER] = [Date.parse('2026-03-02T10:00:00Z'), Date.parse('2026-03-02T10:02:00Z')];

  async function reviewedAgain(error: TickwireError, ms: number) {
    const { attempt, keys } = attemptAfter(error);
    await expect(attempt.publish(attempt.request(expiringAfter(HOUR), FIRST)!)).rejects.toBe(error);
    const again = attempt.request(expiringAfter(ms), LATER)!;
    await attempt.publish(again);
    return { expiresAt: again.expires_at, isSameKey: keys[0] === keys[1] };
  }

  test('and the key stay the same when the form is reviewed again after an unknown outcome', async () => {
    expect(await reviewedAgain(failure(0), HOUR)).toEqual({ expiresAt: '2026-03-02T11:00:00.000Z', isSameKey: true });
  });

  test('counts from now if another one was chosen, or the signal was rejected', async () => {
    expect(await reviewedAgain(failure(0), 4 * HOUR)).toEqual({
      ...{ expiresAt: '2026-03-02T14:02:00.000Z', isSameKey: false },
    });
    expect(await reviewedAgain(failure(422), HOUR)).toEqual({
      ...{ expiresAt: '2026-03-02T11:02:00.000Z', isSameKey: false },
    });
  });

  test('counts from the last review before the signal is sent', () => {
    const { attempt } = attemptAfter(failure(0));
    attempt.request(expiringAfter(HOUR), FIRST);
    expect(attempt.request(expiringAfter(HOUR), LATER)!.expires_at).toBe('2026-03-02T11:02:00.000Z');
  });
});
