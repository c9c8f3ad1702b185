import { expect, test } from 'bun:test';
import { StreamRetention } from './stream-retention.ts';

test('keeps events that are younger than the window, and trims once per second', () => {
  const retention = new StreamRetention(10_000, 1_000_000);
  const trims: string[] = [];
  // A thousand events per second.
  for (let second = 1; second <= 30; second++) {
    trims.push(retention.trimTo(second * 1_000, second * 1_000));
    expect(retention.trimTo(second * 1_000 + 500, second * 1_000 + 500)).toBe('');
  }
  expect(trims.slice(0, 10)).toEqual(Array(10).fill(''));
  expect(trims.slice(10)).toEqual(Array.from({ length: 20 }, (_, at) => String((at + 1) * 1_000)));
});

test('keeps a limited number of events, however young they are', () => {
  const retention = new StreamRetention(600_000, 5_000);
  expect(retention.trimTo(4_000, 1_000)).toBe('');
  expect(retention.trimTo(12_000, 2_000)).toBe('7000');
});

test('trims to the newest mark that is old enough after a pause', () => {
  const retention = new StreamRetention(10_000, 1_000_000);
  retention.trimTo(100, 1_000);
  retention.trimTo(200, 2_000);
  expect(retention.trimTo(250, 60_000)).toBe('200');
});
