import { expect, test } from 'bun:test';
import { MOST_POINTS, PriceTrail, SPAN_MS } from './price-trail.ts';

const START = Date.parse('2024-05-12T08:00:00Z');

test('a price within a step moves the last point', () => {
  const trail = new PriceTrail();
  for (const [ms, price] of [
    [0, 1],
    [1_000, 2],
    [1_500, 3],
    [1_700, 4],
  ] as const)
    trail.add(START + ms, price);
  expect(trail.points).toEqual([
    { time: START, price: 1 },
    { time: START + 1_700, price: 4 },
  ]);
});

test('a day of quotes fits, spans the day, and ends with the last price', () => {
  const trail = new PriceTrail();
  const seconds = (SPAN_MS / 1_000) * 1.5;
  for (let second = 0; second <= seconds; second++) trail.add(START + second * 1_000, second);
  const { points } = trail;
  expect(points.length).toBeLessThanOrEqual(MOST_POINTS);
  expect(points.length).toBeGreaterThan(MOST_POINTS / 2);
  expect(points.at(-1)).toEqual({ time: START + seconds * 1_000, price: seconds });
  const span = points.at(-1)!.time - points[0]!.time;
  expect(span).toBeLessThanOrEqual(SPAN_MS);
  expect(span).toBeGreaterThan(SPAN_MS * 0.9);
});

test('points stay ordered and evenly spaced', () => {
  const trail = new PriceTrail();
  for (let minute = 0; minute < 6 * 60; minute++) trail.add(START + minute * 60_000, minute);
  const steps = trail.points.slice(1, -1).map(({ time }, at) => time - trail.points[at]!.time);
  expect(Math.min(...steps)).toBeGreaterThan(0);
  expect(Math.max(...steps)).toBeLessThanOrEqual(2.1 * Math.min(...steps));
});

test('history comes before live points without duplicates', () => {
  const trail = new PriceTrail();
  trail.add(START, 10);
  trail.add(START + 10_000, 11);
  const bars = [-3, -2, -1, 0, 1].map((bar) => ({ time: START + bar * 900_000, price: bar }));
  trail.seed(bars);
  expect(trail.points.map(({ price }) => price)).toEqual([-3, -2, -1, 10, 11]);
});

test('ignores a time before the last one', () => {
  const trail = new PriceTrail();
  trail.add(START, 1);
  trail.add(START - 1, 2);
  expect(trail.points).toEqual([{ time: START, price: 1 }]);
});

test('drops points older than a day', () => {
  const trail = new PriceTrail();
  trail.add(START, 1);
  trail.add(START + SPAN_MS + 1, 2);
  expect(trail.points).toEqual([{ time: START + SPAN_MS + 1, price: 2 }]);
});
