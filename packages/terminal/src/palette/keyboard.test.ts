import { expect, test } from 'bun:test';
import { Keyboard, keyCaps, type Stroke } from './keyboard.ts';

const stroke = (key: string, more: Partial<Stroke> = {}): Stroke => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  ...more,
});

function made() {
  const kept = new Map<string, string>();
  const shelf = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  const clock = { ms: 0 };
  const keyboard = new Keyboard(shelf, () => clock.ms);
  const end = new AbortController();
  const shortcuts = ['/', '1', 'g m', 'g s', 'mod+k'].map((keys) => ({ keys, title: keys, group: 'all', run() {} }));
  keyboard.add(end.signal, shortcuts);
  const press = (key: string, more: Partial<Stroke> = {}, typing = false) =>
    keyboard.hear(stroke(key, more), typing)?.keys ?? null;
  return { keyboard, press, clock, end };
}

test('a key finds its shortcut, and any other none', () => {
  const { press } = made();
  expect([press('/'), press('1'), press('x')]).toEqual(['/', '1', null]);
});

test('two keys after each other are one shortcut, in time and with nothing between', () => {
  const { press, clock } = made();
  expect([press('g'), press('m')]).toEqual([null, 'g m']);
  expect([press('g'), press('x'), press('m')]).toEqual([null, null, null]);
  press('g');
  clock.ms += 5_000;
  expect(press('m')).toBeNull();
});

test('a first key that was mistaken leaves the next one its own meaning', () => {
  const { press } = made();
  expect([press('g'), press('1')]).toEqual([null, '1']);
  expect([press('g'), press('g'), press('s')]).toEqual([null, null, 'g s']);
});

test('letters typed into a field are letters; with Ctrl or ⌘ they are not', () => {
  const { press } = made();
  expect([press('/', {}, true), press('1', {}, true)]).toEqual([null, null]);
  expect(press('k', { ctrlKey: true }, true)).toBe('mod+k');
  expect(press('K', { metaKey: true }, true)).toBe('mod+k');
});

test('a key held down or pressed with another one is no shortcut', () => {
  const { press } = made();
  expect([press('1', { ctrlKey: true }), press('1', { altKey: true }), press('1', { repeat: true })]).toEqual([
    null,
    null,
    null,
  ]);
});

test('single keys can be turned off, and the others stay', () => {
  const { keyboard, press } = made();
  keyboard.singleKeys = false;
  expect([press('1'), press('g'), press('m'), press('k', { ctrlKey: true })]).toEqual([null, null, null, 'mod+k']);
  keyboard.singleKeys = true;
  expect(press('1')).toBe('1');
});

test('shortcuts go with the page they belong to, and no key means two things', () => {
  const { keyboard, press, end } = made();
  const other = { keys: '1', title: 'other', group: 'all', run() {} };
  expect(() => keyboard.add(new AbortController().signal, [other])).toThrow('taken');
  end.abort();
  expect(press('1')).toBeNull();
  keyboard.add(new AbortController().signal, [other]);
  expect(keyboard.shortcuts).toEqual([other]);
});

test('keys of a part hold while it has the focus, held down and in a field too, and nowhere else', () => {
  const { keyboard, press } = made();
  const list = new EventTarget();
  const held: boolean[] = [];
  keyboard.singleKeys = false;
  const down = { keys: 'ArrowDown', title: 'down', group: 'list', at: list, run: (is: boolean) => held.push(is) };
  const up = { ...down, keys: 'alt+ArrowUp' };
  keyboard.add(new AbortController().signal, [down, up]);
  expect(keyboard.hear(stroke('ArrowDown', { repeat: true }), true, list)).toBe(down);
  expect(keyboard.hear(stroke('ArrowUp', { altKey: true }), false, list)).toBe(up);
  expect(keyboard.hear(stroke('ArrowDown'), false, new EventTarget())).toBeNull();
  expect(press('ArrowDown')).toBeNull();
});

test('keys are written as they stand on the keyboard', () => {
  expect(['mod+k', 'g m', 'alt+ArrowUp', '/'].map((keys) => keyCaps(keys, false))).toEqual([
    ['Ctrl', 'K'],
    ['g', 'm'],
    ['Alt', '↑'],
    ['/'],
  ]);
  expect(keyCaps('mod+k', true)).toEqual(['⌘', 'K']);
});
