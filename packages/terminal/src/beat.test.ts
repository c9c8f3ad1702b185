import { expect, test } from 'bun:test';
import { BEAT_MS, Beat } from './beat.ts';

function page() {
  const state = { hidden: false, show: (): void => {} };
  const beat = new Beat({
    hidden: () => state.hidden,
    onceShown: (run) => {
      state.show = run;
    },
  });
  return { state, beat };
}

test('what was asked for since the last beat runs on one, in its order', async () => {
  const { beat } = page();
  const ran: string[] = [];
  beat.next(() => ran.push('first'));
  beat.next(() => ran.push('second'));
  expect(ran).toEqual([]);
  await Bun.sleep(20);
  expect(ran).toEqual(['first', 'second']);
});

test('the first after a pause does not wait for a beat; what keeps asking is run at its pace', async () => {
  const { beat } = page();
  const at: number[] = [];
  const again = (): void => {
    at.push(performance.now());
    if (at.length < 5) beat.next(again);
  };
  const asked = performance.now();
  beat.next(again);
  while (at.length < 5) await Bun.sleep(5);
  expect(at[0]! - asked).toBeLessThan(BEAT_MS);
  // A timer may be early by less than a millisecond.
  for (let each = 1; each < at.length; each++) expect(at[each]! - at[each - 1]!).toBeGreaterThan(BEAT_MS - 2);
});

test('a hidden page does not beat; shown again it does what was left, once', async () => {
  const { state, beat } = page();
  let ran = 0;
  state.hidden = true;
  beat.next(() => ran++);
  await Bun.sleep(20);
  beat.next(() => ran++);
  await Bun.sleep(BEAT_MS + 20);
  expect(ran).toBe(0);
  // The event comes with going out of sight, too.
  state.show();
  expect(ran).toBe(0);
  state.hidden = false;
  state.show();
  expect(ran).toBe(2);
  beat.next(() => ran++);
  await Bun.sleep(BEAT_MS + 20);
  expect(ran).toBe(3);
});
