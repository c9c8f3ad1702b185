import { expect, test } from 'bun:test';
import { Placement } from './placement.ts';

const at = (x: number) =>
  [
    { x, y: 0 },
    { time: x, price: 0 },
  ] as const;
const times = ({ points }: Placement) => points.map(({ time }) => time);

test('two clicks place a line, and the second point follows the pointer between them', () => {
  const line = new Placement('line');
  line.press(...at(10));
  line.release();
  line.move(...at(50));
  expect([times(line), line.complete]).toEqual([[10, 50], false]);
  line.press(...at(60));
  line.release();
  expect([times(line), line.complete]).toEqual([[10, 60], true]);
});

test('dragging places it at once', () => {
  const line = new Placement('line');
  line.press(...at(10));
  line.move(...at(40));
  line.move(...at(70));
  line.release();
  expect([times(line), line.complete]).toEqual([[10, 70], true]);
});

test('a trembling finger is not a drag', () => {
  const line = new Placement('line');
  line.press(...at(10));
  line.move(...at(14));
  line.release();
  expect([times(line), line.complete]).toEqual([[10], false]);
});

test('a channel takes a drag and a click, and a single point follows the finger until it is lifted', () => {
  const channel = new Placement('channel');
  channel.press(...at(10));
  channel.move(...at(40));
  channel.release();
  expect(channel.complete).toBe(false);
  channel.press(...at(50));
  channel.move(...at(55));
  channel.release();
  expect([times(channel), channel.complete]).toEqual([[10, 40, 55], true]);
  const level = new Placement('horizontal');
  level.press(...at(10));
  level.move(...at(90));
  level.release();
  expect([times(level), level.complete]).toEqual([[90], true]);
});

test('a finger that the system takes away places nothing', () => {
  const line = new Placement('line');
  line.press(...at(10));
  line.letGo();
  expect([times(line), line.placed]).toEqual([[], 0]);
});

test('the keyboard places what is missing around the middle of the pane', () => {
  const view = { width: 100, height: 200, anchorAt: ({ x, y }: { x: number; y: number }) => ({ time: x, price: y }) };
  const placement = new Placement('channel');
  placement.press({ x: 1, y: 2 }, { time: 1, price: 2 });
  placement.release();
  expect(placement.placeInMiddle(view, false)).toBe(true);
  expect(placement.complete).toBe(true);
  expect(placement.points).toEqual([
    { time: 1, price: 2 },
    { time: 65, price: 80 },
    { time: 50, price: 60 },
  ]);
  expect(new Placement('line').placeInMiddle({ ...view, anchorAt: () => null }, false)).toBe(false);
});
