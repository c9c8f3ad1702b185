import { expect, test } from 'bun:test';
import { readChoices, storeChoices } from './chart-choices.ts';

const shelfOf = (text: string | null) => {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_name: string, value: string) => {
      kept = value;
    },
  };
};

test('choices are stored', () => {
  const storage = shelfOf(null);
  storeChoices(storage, { averages: [50], flow: false });
  expect(readChoices(storage)).toEqual({ averages: [50], flow: false });
});

test('missing or invalid choices fall back to the default', () => {
  const usual = { averages: [20, 50], flow: true };
  for (const text of [null, '{', '{"averages":3,"flow":"yes"}', 'null'])
    expect(readChoices(shelfOf(text))).toEqual(usual);
});

test('a full storage is not an error', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(() => storeChoices(full, { averages: [], flow: true })).not.toThrow();
});
