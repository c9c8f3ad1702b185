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
    keyboard.press(stroke(key, more), typing)?.keys ?? null;
  return { keyboard, press, clock, end };
}

test('finds the shortcut of a key', () => {
  const { press } = made();
  expect([press('/'), press('1'), press('x')]).toEqual(['/', '1', null]);
});

test('finds a sequence of two keys, in time and with no key between', () => {
  const { press, clock } = made();
  expect([press('g'), press('m')]).toEqual([null, 'g m']);
  expect([press('g'), press('x'), press('m')]).toEqual([null, null, null]);
  press('g');
  clock.ms += 5_000;
  expect(press('m')).toBeNull();
});

test('a wrong first key does not affect the next key', () => {
  const { press } = made();
  expect([press('g'), press('1')]).toEqual([null, '1']);
  expect([press('g'), press('g'), press('s')]).toEqual([null, null, 'g s']);
});

test('ignores keys typed into a field, except with Ctrl or ⌘', () => {
  const { press } = made();
  expect([press('/', {}, true), press('1', {}, true)]).toEqual([null, null]);
  expect(press('k', { ctrlKey: true }, true)).toBe('mod+k');
  expect(press('K', { metaKey: true }, true)).toBe('mod+k');
});

test('ignores held keys and other modifiers', () => {
  const { press } = made();
  expect([press('1', { ctrlKey: true }), press('1', { altKey: true }), press('1', { repeat: true })]).toEqual([
    null,
    null,
    null,
  ]);
});

test('single keys can be turned off', () => {
  const { keyboard, press } = made();
  keyboard.singleKeys = false;
  expect([press('1'), press('g'), press('m'), press('k', { ctrlKey: true })]).toEqual([null, null, null, 'mod+k']);
  keyboard.singleKeys = true;
  expect(press('1')).toBe('1');
});

test('shortcuts end with their page, and no key has two meanings', () => {
  const { keyboard, press, end } = made();
  const other = { keys: '1', title: 'other', group: 'all', run() {} };
  expect(() => keyboard.add(new AbortController().signal, [other])).toThrow('already in use');
  end.abort();
  expect(press('1')).toBeNull();
  keyboard.add(new AbortController().signal, [other]);
  expect(keyboard.shortcuts).toEqual([other]);
});

test('keys of an element work only while it has the focus, also held down and in a field', () => {
  const { keyboard, press } = made();
  const list = new EventTarget();
  const held: boolean[] = [];
  keyboard.singleKeys = false;
  const down = { keys: 'ArrowDown', title: 'down', group: 'list', at: list, run: (is: boolean) => held.push(is) };
  const up = { ...down, keys: 'alt+ArrowUp' };
  keyboard.add(new AbortController().signal, [down, up]);
  expect(keyboard.press(stroke('ArrowDown', { repeat: true }), true, list)).toBe(down);
  expect(keyboard.press(stroke('ArrowUp', { altKey: true }), false, list)).toBe(up);
  expect(keyboard.press(stroke('ArrowDown'), false, new EventTarget())).toBeNull();
  expect(press('ArrowDown')).toBeNull();
});

test('writes keys as they are labelled', () => {
  expect(['mod+k', 'g m', 'alt+ArrowUp', '/'].map((keys) => keyCaps(keys, false))).toEqual([
    ['Ctrl', 'K'],
    ['g', 'm'],
    ['Alt', '↑'],
    ['/'],
  ]);
  expect(keyCaps('mod+k', true)).toEqual(['⌘', 'K']);
});

test('a page offers what has no keys until it is left, as it is at the moment', () => {
  const { keyboard } = made();
  const page = new AbortController();
  let charts = 1;
  const offer = () => ({ title: `${charts} charts`, group: 'Chart', run: () => {} });
  keyboard.offer(page.signal, () => [offer()]);
  charts = 4;
  expect(keyboard.offers.map(({ title }) => title)).toEqual(['4 charts']);
  page.abort();
  expect(keyboard.offers).toEqual([]);
});
