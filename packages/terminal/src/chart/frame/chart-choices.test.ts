import { expect, test } from 'bun:test';
import { type ChartChoices, readChoices, storeChoices } from './chart-choices.ts';

const shelfOf = (text: string | null) => {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_name: string, value: string) => {
      kept = value;
    },
  };
};

const USUAL: ChartChoices = {
  favourites: ['1m', '5m', '15m', '1h', '4h', '1d'],
  type: 'candles',
  scale: 'linear',
  fitOverlays: false,
  sessions: true,
  signals: true,
  news: true,
  calendar: true,
};

test('choices are stored', () => {
  const storage = shelfOf(null);
  const chosen: ChartChoices = {
    ...{ favourites: ['7m', '1w'], type: 'heikin-ashi' },
    ...{ scale: 'percent', fitOverlays: true, sessions: false, signals: false, news: false, calendar: false },
  };
  storeChoices(storage, chosen);
  expect(readChoices(storage)).toEqual(chosen);
});

test('missing or invalid choices fall back to the default', () => {
  const invalid = '{"favourites":1,"type":"pie","scale":9,"signals":1,"news":null}';
  for (const text of [null, '{', invalid, 'null']) expect(readChoices(shelfOf(text))).toEqual(USUAL);
  expect(readChoices(shelfOf('{"favourites":["5m",5,"3d","60m"]}')).favourites).toEqual(['5m']);
});

test('a full storage is not an error', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(() => storeChoices(full, USUAL)).not.toThrow();
});
