import { describe, expect, test } from 'bun:test';
import { RESPONSE_EXAMPLES } from '../documents/examples.ts';
import { MESSAGE_EXAMPLES } from '../stream/examples.ts';
import type { NewsCalibrationItem } from './calibration.ts';

/** Quantile of the normal distribution for 95 %. */
const Z = 1.959964;

function wilson({ hits, items }: NewsCalibrationItem): [number, number] {
  const rate = hits / items;
  const centre = rate + Z ** 2 / (2 * items);
  const half = Z * Math.sqrt((rate * (1 - rate)) / items + Z ** 2 / (4 * items ** 2));
  return [(centre - half) / (1 + Z ** 2 / items), (centre + half) / (1 + Z ** 2 / items)];
}

describe('the example calibration', () => {
  const { items } = RESPONSE_EXAMPLES.newsCalibration;

  test('has a hit rate and interval that follow from the counts', () => {
    for (const item of items.filter((each) => each.items > 0)) {
      const [low, high] = wilson(item);
      expect(item.hit_rate).toBeCloseTo(item.hits / item.items, 4);
      expect(item.hit_rate_low).toBeCloseTo(low, 4);
      expect(item.hit_rate_high).toBeCloseTo(high, 4);
    }
  });

  test('has no rates without items', () => {
    const none = items.find((each) => each.items === 0);
    expect(none).toMatchObject({ hits: 0, hit_rate: null, hit_rate_low: null, average_move_percent: null });
  });
});

describe('the example news', () => {
  test('is ordered newest first', () => {
    const times = RESPONSE_EXAMPLES.news.items.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('revises the item that was published', () => {
    const { NewsPublished: published, NewsRevised: revised } = MESSAGE_EXAMPLES;
    expect(RESPONSE_EXAMPLES.news.items[0]?.title).toBe(published.title);
    expect([revised.id, revised.timestamp]).toEqual([published.id, published.timestamp]);
    expect(revised.revision).toBe(published.revision + 1);
    expect(revised.title).not.toBe(published.title);
  });
});
