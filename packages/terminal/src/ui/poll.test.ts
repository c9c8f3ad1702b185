import { afterEach, beforeEach, expect, test } from 'bun:test';
import { poll } from './poll.ts';

const page = new EventTarget() as EventTarget & { hidden: boolean };
const { document: before } = globalThis;

beforeEach(() => {
  page.hidden = false;
  globalThis.document = page as unknown as Document;
});
afterEach(() => {
  globalThis.document = before;
});

test('the first run starts before any timer, but not within the call', async () => {
  const order: string[] = [];
  setTimeout(() => order.push('timer'), 0);
  const polling = poll(async () => {
    order.push('run');
    return 60_000;
  });
  order.push('called');
  await Bun.sleep(5);
  polling.stop();
  expect(order).toEqual(['called', 'run', 'timer']);
});

test('one that is stopped at once never runs', async () => {
  let runs = 0;
  poll(async () => ++runs).stop();
  poll(async () => ++runs, 1).stop();
  await Bun.sleep(5);
  expect(runs).toBe(0);
});

test('runs again after the time that the task returns', async () => {
  let runs = 0;
  const polling = poll(async () => {
    runs++;
    return runs < 3 ? 1 : 60_000;
  });
  while (runs < 3) await Bun.sleep(1);
  await Bun.sleep(20);
  polling.stop();
  expect(runs).toBe(3);
});

test('waits while the page is hidden', async () => {
  page.hidden = true;
  let runs = 0;
  const polling = poll(async () => {
    runs++;
    return 60_000;
  });
  await Bun.sleep(5);
  expect(runs).toBe(0);
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  expect(runs).toBe(1);
  polling.stop();
});
