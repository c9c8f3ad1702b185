import { expect, test } from 'bun:test';
import { coalesced, FRAME_MS, FrameScheduler } from './frame-scheduler.ts';

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

test('runs callbacks together and in order', async () => {
  const { frameScheduler } = page();
  const ran: string[] = [];
  frameScheduler.next(() => ran.push('first'));
  frameScheduler.next(() => ran.push('second'));
  expect(ran).toEqual([]);
  await Bun.sleep(20);
  expect(ran).toEqual(['first', 'second']);
});

test('runs the first callback after a pause immediately, and later ones at the interval', async () => {
  const { frameScheduler } = page();
  const at: number[] = [];
  const again = (): void => {
    at.push(performance.now());
    if (at.length < 5) frameScheduler.next(again);
  };
  const asked = performance.now();
  frameScheduler.next(again);
  while (at.length < 5) await Bun.sleep(5);
  expect(at[0]! - asked).toBeLessThan(FRAME_MS);
  // A timer may be early by less than a millisecond.
  for (let each = 1; each < at.length; each++) expect(at[each]! - at[each - 1]!).toBeGreaterThan(FRAME_MS - 2);
});

test('of two large panels, one is written per run', async () => {
  const { frameScheduler } = page();
  const written: [panel: string, at: number][] = [];
  const write = (panel: string) => (): void => {
    if (frameScheduler.claim()) written.push([panel, performance.now()]);
    else frameScheduler.next(write(panel));
  };
  frameScheduler.next(write('one'));
  frameScheduler.next(write('other'));
  await Bun.sleep(20);
  expect(written.map(([panel]) => panel)).toEqual(['one']);
  while (written.length < 2) await Bun.sleep(5);
  expect(written[1]![0]).toBe('other');
  expect(written[1]![1] - written[0]![1]).toBeGreaterThan(FRAME_MS - 2);
});

test('runs nothing while the page is hidden, and everything once when it is visible', async () => {
  const { state, frameScheduler } = page();
  let ran = 0;
  state.hidden = true;
  frameScheduler.next(() => ran++);
  await Bun.sleep(20);
  frameScheduler.next(() => ran++);
  await Bun.sleep(FRAME_MS + 20);
  expect(ran).toBe(0);
  // The event comes with going out of sight, too.
  state.show();
  expect(ran).toBe(0);
  state.hidden = false;
  state.show();
  expect(ran).toBe(2);
  frameScheduler.next(() => ran++);
  await Bun.sleep(FRAME_MS + 20);
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
