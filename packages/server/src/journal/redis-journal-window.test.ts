import { expect, test } from 'bun:test';
import { StreamWindow } from './redis-journal-window.ts';

test('the stream keeps what is younger than the window, and looks at it once a second', () => {
  const window = new StreamWindow(10_000, 1_000_000);
  const begins: string[] = [];
  // A thousand events a second.
  for (let second = 1; second <= 30; second++) {
    begins.push(window.begins(second * 1_000, second * 1_000));
    expect(window.begins(second * 1_000 + 500, second * 1_000 + 500)).toBe('');
  }
  expect(begins.slice(0, 10)).toEqual(Array(10).fill(''));
  expect(begins.slice(10)).toEqual(Array.from({ length: 20 }, (_, at) => String((at + 1) * 1_000)));
});

test('the stream keeps no more events than it may, however young they are', () => {
  const window = new StreamWindow(600_000, 5_000);
  expect(window.begins(4_000, 1_000)).toBe('');
  expect(window.begins(12_000, 2_000)).toBe('7000');
});

test('after a silence the newest mark that is old enough counts', () => {
  const window = new StreamWindow(10_000, 1_000_000);
  window.begins(100, 1_000);
  window.begins(200, 2_000);
  expect(window.begins(250, 60_000)).toBe('200');
});
