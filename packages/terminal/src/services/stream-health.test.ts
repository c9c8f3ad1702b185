import { expect, test } from 'bun:test';
import type { StateDetail, StreamState } from '@tickwire/client';
import { CLOSE_LIMIT, nextHealth, type StreamHealth } from './stream-health.ts';

const PLAIN: StateDetail = { end: null, retryInMs: null };
const ended = (code = 1006): StateDetail => ({ end: { code, reason: 'gone' }, retryInMs: 2_000 });

function after(...changes: readonly (readonly [StreamState, StateDetail])[]): StreamHealth {
  let health: StreamHealth | undefined;
  for (const [state, detail] of changes) health = nextHealth(health, state, detail, 1_000);
  return health!;
}

test('a stream that the page opens again, such as with an indicator, is not lost', () => {
  expect(after(['connecting', PLAIN], ['live', PLAIN], ['connecting', PLAIN]).lost).toBe(false);
});

test('a connection that ends is lost until it is live again', () => {
  const lost = [
    ['connecting', PLAIN],
    ['live', PLAIN],
    ['connecting', ended()],
  ] as const;
  expect(after(...lost)).toEqual({ state: 'connecting', reason: 'gone', retryAt: 3_000, lost: true, limited: false });
  expect(after(...lost, ['connecting', PLAIN]).lost).toBe(true);
  expect(after(...lost, ['live', PLAIN]).lost).toBe(false);
  expect(after(['live', PLAIN], ['closed', ended()]).lost).toBe(true);
});

test('a first connection that fails was never there to lose', () => {
  expect(after(['connecting', PLAIN], ['connecting', ended()]).lost).toBe(false);
});

test('the limit of streams holds until a retry succeeds', () => {
  const limited = ['connecting', ended(CLOSE_LIMIT)] as const;
  expect(after(limited, ['connecting', PLAIN]).limited).toBe(true);
  expect(after(limited, ['live', PLAIN]).limited).toBe(false);
});
