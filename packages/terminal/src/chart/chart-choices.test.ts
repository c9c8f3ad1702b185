import { expect, test } from 'bun:test';
import { keepChoices, readChoices } from './chart-choices.ts';

const shelfOf = (text: string | null) => {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_name: string, value: string) => {
      kept = value;
    },
  };
};

test('what was chosen is found again', () => {
  const shelf = shelfOf(null);
  keepChoices(shelf, { averages: [50], flow: false });
  expect(readChoices(shelf)).toEqual({ averages: [50], flow: false });
});

test('nothing kept, or nonsense, is the usual choice', () => {
  const usual = { averages: [20, 50], flow: true };
  for (const text of [null, '{', '{"averages":3,"flow":"yes"}', 'null'])
    expect(readChoices(shelfOf(text))).toEqual(usual);
});

test('a shelf that is full takes the choice for this page only', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(() => keepChoices(full, { averages: [], flow: true })).not.toThrow();
});
