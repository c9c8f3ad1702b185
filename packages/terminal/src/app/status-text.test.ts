import { expect, test } from 'bun:test';
import type { StreamState } from '@tickwire/client';
import type { StreamHealth } from '../services/stream-health.ts';
import { spanOf, tickAge } from '../ui/price-age.ts';
import { statusText, worstOf } from './status-text.ts';

const stream = (state: StreamState, more: Partial<StreamHealth> = {}): StreamHealth => ({
  state,
  reason: '',
  retryAt: null,
  lost: false,
  limited: false,
  ...more,
});
const NOW = Date.parse('2024-05-12T08:00:00Z');
const waiting = stream('connecting', { lost: true, retryAt: NOW + 2_300 });
const wordsNow = (streams: readonly StreamHealth[], ageMs: number | null) => statusText(streams, ageMs, NOW);

test('reports the state of the worst stream', () => {
  expect(worstOf([])).toBeNull();
  expect(worstOf([stream('live'), stream('stale'), stream('live')])?.state).toBe('stale');
  expect(worstOf([stream('stale'), waiting])?.state).toBe('connecting');
  expect(worstOf([waiting, stream('closed'), stream('live')])?.state).toBe('closed');
});

test('judges a live connection by its newest price', () => {
  const at = (ageMs: number | null) => wordsNow([stream('live')], ageMs).text;
  expect(at(null)).toBe('connected · no price yet');
  expect(at(340)).toBe('live · 0.3 s');
  expect(at(9_999)).toBe('live · 9 s');
  expect(at(14_200)).toBe('stale · last price 14 s ago');
  expect(at(3 * 60_000)).toBe('connected · no price for 3 min');
});

test('does not call a first connection lost', () => {
  expect(wordsNow([], null).text).toBe('connecting…');
  expect(wordsNow([stream('connecting')], null).health).toBe('connecting');
  expect(wordsNow([stream('live'), waiting], 4_000).text).toBe('reconnecting in 3 s… · last price 4 s ago');
  expect(wordsNow([stream('connecting', { lost: true })], null).text).toBe('reconnecting…');
});

test('counts down to the next attempt', () => {
  const after = (ms: number) => statusText([waiting], null, NOW + ms).text;
  expect([0, 1_400, 2_300].map(after)).toEqual(['reconnecting in 3 s…', 'reconnecting in 1 s…', 'reconnecting…']);
});

test('gives the reason for a closed stream', () => {
  const { text, short } = wordsNow([stream('live'), stream('closed', { reason: 'too many streams' })], 0);
  expect([text, short]).toEqual(['disconnected: too many streams', 'disconnected']);
});

test('says what to do about too many streams', () => {
  const refused = stream('connecting', { limited: true, retryAt: NOW + 2_300, reason: 'A session allows 12 streams.' });
  const { health, text } = wordsNow([stream('live'), refused], 400);
  expect([health, text]).toEqual([
    'crowded',
    'too many open tabs: close another tab, or stop a program that uses streams',
  ]);
  expect(wordsNow([stream('closed'), refused], 400).health).toBe('closed');
});

test('announces nothing if only the age changes', () => {
  const said = [0, 500, 2_000, 9_000].map((ageMs) => wordsNow([stream('live')], ageMs).announcement);
  expect(new Set(said).size).toBe(1);
  expect(wordsNow([waiting], 4_000).announcement).toBe(wordsNow([waiting], 9_000).announcement);
});

test('rounds spans down', () => {
  expect([0, 59_999, 60_000, 7_200_000, 90_000_000, 200_000_000].map((ms) => spanOf(ms))).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '2 h',
    '1 day',
    '2 days',
  ]);
});

test('writes the age of a tick in words', () => {
  expect([null, 300, 2_500, 185_000].map(tickAge)).toEqual([
    'no price yet',
    'just now',
    '2 s ago',
    'no tick for 3 min',
  ]);
});

test('says that the service sends nothing, if a connection delivers nothing', () => {
  const { text, short, announcement } = wordsNow([stream('stale')], 14_200);
  expect([text, short]).toEqual(['no data from the service · last price 14 s ago', 'no data']);
  expect(announcement).toStartWith('No data from the service.');
});
