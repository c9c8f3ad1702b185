import { expect, test } from 'bun:test';
import { formatDuration, ProgressBar } from './progress.ts';

const shown = (terminal: boolean) => {
  const said: string[] = [];
  const clock = { now: 0 };
  const progress = new ProgressBar({
    label: 'EURUSD',
    terminal,
    write: (text) => said.push(text),
    now: () => clock.now,
  });
  return { said, clock, progress };
};

test('without a terminal writes a line every few seconds with rate and remaining time', () => {
  const { said, clock, progress } = shown(false);
  for (clock.now = 0; clock.now <= 7_000; clock.now += 500) progress.update(clock.now, 12_000, clock.now * 300);
  progress.end();
  expect(said).toEqual([
    'EURUSD  25%  900,000 rows, 300,000 rows/s, 9.0 s left\n',
    'EURUSD  50%  1,800,000 rows, 300,000 rows/s, 6.0 s left\n',
  ]);
});

test('in a terminal redraws a bar and clears it at the end', () => {
  const { said, clock, progress } = shown(true);
  clock.now = 2_000;
  progress.update(50, 100, 10);
  clock.now = 2_010;
  progress.update(51, 100, 11);
  progress.end();
  expect(said).toEqual([
    '\r\u001b[KEURUSD [############............]  50%  10 rows, 5 rows/s, 2.0 s left',
    '\r\u001b[K',
  ]);
});

test('formats durations with the two largest units', () => {
  expect([400, 12_000, 125_000, 11_400_000, 200_000_000].map(formatDuration)).toEqual([
    '0.4 s',
    '12 s',
    '2 min 5 s',
    '3 h 10 min',
    '2 d 7 h',
  ]);
});
