import { expect, test } from 'bun:test';
import { ReplayClock } from './replay-clock.ts';

const FROM = Date.parse('2026-03-02T08:00:00Z');
const at = (ms: number) => new Date(FROM + ms).toISOString();
const answer = (ms: number, state: 'playing' | 'paused' | 'ended', speed: number | 'max' = 60, epoch = 'a') => ({
  clock: at(ms),
  epoch,
  state,
  speed,
  to: at(3_600_000),
});

function clockAt() {
  const timer = { now: 0 };
  return { timer, clock: new ReplayClock(() => timer.now) };
}

test('runs at the speed of the session, and not beyond the end of its range', () => {
  const { timer, clock } = clockAt();
  clock.set(answer(0, 'paused'));
  timer.now = 10_000;
  expect(clock.time).toBe(FROM);
  clock.set(answer(0, 'playing'));
  timer.now = 11_500;
  expect(clock.time).toBe(FROM + 90_000);
  timer.now = 10_000_000;
  expect(clock.time).toBe(FROM + 3_600_000);
});

test('follows what is received, which is never in its past', () => {
  const { clock } = clockAt();
  clock.set(answer(0, 'playing', 'max'));
  clock.reach(FROM + 5_000);
  clock.reach(FROM + 4_000);
  expect(clock.time).toBe(FROM + 5_000);
});

test('is set back by the service', () => {
  const { timer, clock } = clockAt();
  clock.set(answer(0, 'playing'));
  timer.now = 4_000;
  clock.set(answer(200_000, 'playing'));
  expect(clock.time).toBe(FROM + 200_000);
});

test('says that it is slow if it runs at less than half of its speed', () => {
  const { timer, clock } = clockAt();
  clock.set(answer(0, 'playing'));
  timer.now = 4_000;
  clock.set(answer(100_000, 'playing'));
  expect(clock.isSlow).toBe(true);
  timer.now = 8_000;
  clock.set(answer(330_000, 'playing'));
  expect(clock.isSlow).toBe(false);
  timer.now = 12_000;
  clock.set(answer(330_000, 'paused'));
  expect(clock.isSlow).toBe(false);
});

test('is measured anew after a jump', () => {
  const { timer, clock } = clockAt();
  clock.set(answer(600_000, 'playing'));
  timer.now = 4_000;
  clock.set(answer(700_000, 'playing'));
  expect(clock.isSlow).toBe(true);
  timer.now = 8_000;
  clock.set(answer(0, 'playing', 60, 'b'));
  expect(clock.isSlow).toBe(false);
  timer.now = 12_000;
  clock.set(answer(240_000, 'playing', 60, 'b'));
  expect(clock.isSlow).toBe(false);
});
