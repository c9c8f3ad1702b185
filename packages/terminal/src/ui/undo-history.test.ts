import { expect, test } from 'bun:test';
import { UndoHistory } from './undo-history.ts';

function counter() {
  const history = new UndoHistory();
  const state = { value: 0 };
  const add = (by: number): void =>
    history.run({
      redo: () => {
        state.value += by;
      },
      undo: () => {
        state.value -= by;
      },
    });
  return { history, state, add };
}

test('undoes the last step first, and redoes it', () => {
  const { history, state, add } = counter();
  add(1);
  add(10);
  history.undo();
  expect(state.value).toBe(1);
  history.undo();
  expect([state.value, history.canUndo.value, history.canRedo.value]).toEqual([0, false, true]);
  history.redo();
  history.redo();
  expect([state.value, history.canUndo.value, history.canRedo.value]).toEqual([11, true, false]);
});

test('a new step replaces what could be redone', () => {
  const { history, state, add } = counter();
  add(1);
  history.undo();
  add(5);
  history.redo();
  expect([state.value, history.canRedo.value]).toEqual([5, false]);
});

test('nothing to undo or redo is no error, and the oldest of many steps is forgotten', () => {
  const { history, state, add } = counter();
  history.undo();
  history.redo();
  for (let at = 0; at < 120; at++) add(1);
  for (let at = 0; at < 120; at++) history.undo();
  expect(state.value).toBe(20);
});
