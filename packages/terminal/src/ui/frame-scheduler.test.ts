import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { coalesced, FRAME_MS, FrameScheduler } from './frame-scheduler.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function page() {
  const state = { hidden: false, show: (): void => {} };
  const frameScheduler = new FrameScheduler({
    hidden: () => state.hidden,
    onceVisible: (run) => {
      state.show = run;
    },
  });
  return { state, frameScheduler };
}

test('runs callbacks together and in order', () => {
  const { frameScheduler } = page();
  const ran: string[] = [];
  frameScheduler.next(() => ran.push('first'));
  frameScheduler.next(() => ran.push('second'));
  expect(ran).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(ran).toEqual(['first', 'second']);
});

test('runs the first callback after a pause immediately, and later ones at the interval', () => {
  const { frameScheduler } = page();
  const at: number[] = [];
  const again = (): void => {
    at.push(performance.now());
    if (at.length < 5) frameScheduler.next(again);
  };
  const asked = performance.now();
  frameScheduler.next(again);
  jest.advanceTimersByTime(10 * FRAME_MS);
  expect(at[0]! - asked).toBeWithin(0, 2);
  expect(at.map((time) => Math.round(time - at[0]!))).toEqual([0, 1, 2, 3, 4].map((frame) => frame * FRAME_MS));
});

test('of two large panels, one is written per run', () => {
  const { frameScheduler } = page();
  const written: string[] = [];
  const write = (panel: string) => (): void => {
    if (frameScheduler.claim()) written.push(panel);
    else frameScheduler.next(write(panel));
  };
  frameScheduler.next(write('one'));
  frameScheduler.next(write('other'));
  jest.advanceTimersByTime(FRAME_MS);
  expect(written).toEqual(['one']);
  jest.advanceTimersByTime(FRAME_MS);
  expect(written).toEqual(['one', 'other']);
});

test('runs nothing while the page is hidden, and everything once when it is visible', () => {
  const { state, frameScheduler } = page();
  let ran = 0;
  state.hidden = true;
  frameScheduler.next(() => ran++);
  jest.advanceTimersByTime(20);
  frameScheduler.next(() => ran++);
  jest.advanceTimersByTime(FRAME_MS);
  expect(ran).toBe(0);
  // The event comes with going out of sight, too.
  state.show();
  expect(ran).toBe(0);
  state.hidden = false;
  state.show();
  expect(ran).toBe(2);
  frameScheduler.next(() => ran++);
  jest.advanceTimersByTime(FRAME_MS);
  expect(ran).toBe(3);
});

test('a coalesced task runs once, however often it was called before, and again after the next call', () => {
  const scheduled: (() => void)[] = [];
  let runs = 0;
  const call = coalesced(
    () => runs++,
    (run) => scheduled.push(run),
  );
  for (const _ of [1, 2, 3]) call();
  expect([scheduled.length, runs]).toEqual([1, 0]);
  scheduled.shift()!();
  call();
  expect([scheduled.length, runs]).toEqual([1, 1]);
});
