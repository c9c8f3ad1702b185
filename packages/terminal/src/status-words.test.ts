import { expect, test } from 'bun:test';
import type { StreamState } from '@tickwire/client';
import { spanOf, tickAge } from './ages.ts';
import { type StreamHealth, wordsOf, worstOf } from './status-words.ts';

const stream = (state: StreamState, more: Partial<StreamHealth> = {}): StreamHealth => ({
  state,
  reason: '',
  retryAt: null,
  wasLive: state !== 'connecting',
  crowded: false,
  ...more,
});
const NOW = Date.parse('2024-05-12T08:00:00Z');
const waiting = stream('connecting', { wasLive: true, retryAt: NOW + 2_300 });
const wordsNow = (streams: readonly StreamHealth[], ageMs: number | null) => wordsOf(streams, ageMs, NOW);

test('the state is that of the worst stream', () => {
  expect(worstOf([])).toBeNull();
  expect(worstOf([stream('live'), stream('stale'), stream('live')])?.state).toBe('stale');
  expect(worstOf([stream('stale'), waiting])?.state).toBe('connecting');
  expect(worstOf([waiting, stream('closed'), stream('live')])?.state).toBe('closed');
});

test('a live connection is as live as its newest price', () => {
  const at = (ageMs: number | null) => wordsNow([stream('live')], ageMs).text;
  expect(at(null)).toBe('connected · no price yet');
  expect(at(340)).toBe('live · 0.3 s');
  expect(at(9_999)).toBe('live · 9 s');
  expect(at(14_200)).toBe('stale · last price 14 s ago');
  expect(at(3 * 60_000)).toBe('connected · no price for 3 min');
});

test('a first connection is not called a lost one', () => {
  expect(wordsNow([], null).text).toBe('connecting…');
  expect(wordsNow([stream('connecting')], null).health).toBe('connecting');
  expect(wordsNow([stream('live'), waiting], 4_000).text).toBe('reconnecting in 3 s… · last price 4 s ago');
  expect(wordsNow([stream('connecting', { wasLive: true })], null).text).toBe('reconnecting…');
});

test('the wait for the next attempt gets shorter, and ends', () => {
  const after = (ms: number) => wordsOf([waiting], null, NOW + ms).text;
  expect([0, 1_400, 2_300].map(after)).toEqual(['reconnecting in 3 s…', 'reconnecting in 1 s…', 'reconnecting…']);
});

test('a stream that is closed for good says why', () => {
  const { text, short } = wordsNow([stream('live'), stream('closed', { reason: 'too many streams' })], 0);
  expect([text, short]).toEqual(['disconnected: too many streams', 'disconnected']);
});

test('a stream that is one too many says what to do, and not that it reconnects', () => {
  const refused = stream('connecting', { crowded: true, retryAt: NOW + 2_300, reason: 'A session allows 10 streams.' });
  const { health, text } = wordsNow([stream('live'), refused], 400);
  expect([health, text]).toEqual([
    'crowded',
    'too many open tabs: close one of them, or a program that listens, and this goes on',
  ]);
  expect(wordsNow([stream('closed'), refused], 400).health).toBe('closed');
});

test('an age alone is never a reason to say something aloud', () => {
  const said = [0, 500, 2_000, 9_000].map((ageMs) => wordsNow([stream('live')], ageMs).announcement);
  expect(new Set(said).size).toBe(1);
  expect(wordsNow([waiting], 4_000).announcement).toBe(wordsNow([waiting], 9_000).announcement);
});

test('spans are what has passed in full', () => {
  expect([0, 59_999, 60_000, 7_200_000, 90_000_000, 200_000_000].map(spanOf)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '2 h',
    '1 day',
    '2 days',
  ]);
});

test('the age of a tick is told as a person would', () => {
  expect([null, 300, 2_500, 185_000].map(tickAge)).toEqual([
    'no price yet',
    'just now',
    '2 s ago',
    'no tick for 3 min',
  ]);
});
