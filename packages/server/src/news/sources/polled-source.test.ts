import { describe, expect, test } from 'bun:test';
import { asEpochMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import type { ParsedItem } from '../../documents/parsed-feed.ts';
import { PolledSource } from './polled-source.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const item = (title: string, publishedAt: number | null): ParsedItem => ({
  guid: title,
  url: null,
  title,
  summary: null,
  publishedAt: publishedAt === null ? null : asEpochMs(publishedAt),
});
const source = (): PolledSource =>
  new PolledSource({ name: 'a', url: 'https://a.example/', category: null, weight: 1, mayBePrivate: false }, 0);

describe('the dates of polled items', () => {
  test('an item dated in the future has no date, so the first poll does not take it for news', () => {
    const polled = source();
    const first = [item('next year', NOW + 365 * DAY_MS), item('tomorrow', NOW + DAY_MS), item('today', NOW - HOUR_MS)];
    expect(polled.takeNew(first, NOW).map(({ title }) => title)).toEqual(['today']);
    const later = polled.takeNew([...first, item('time zone missing', NOW + 9 * HOUR_MS)], NOW + MINUTE_MS);
    expect(later).toMatchObject([{ title: 'time zone missing', publishedAt: null, seenAt: NOW + MINUTE_MS }]);
  });

  test('ten minutes ahead are a difference of clocks', () => {
    const ahead = item('clock', NOW + 10 * MINUTE_MS);
    expect(source().takeNew([ahead], NOW)).toMatchObject([{ publishedAt: NOW + 10 * MINUTE_MS }]);
  });

  test('an item without a date is taken from the second poll on, still without a date', () => {
    const polled = source();
    expect(polled.takeNew([item('old', null)], NOW)).toEqual([]);
    expect(polled.takeNew([item('new', null), item('old', null)], NOW)).toMatchObject([
      { title: 'new', publishedAt: null, seenAt: NOW },
    ]);
  });
});
