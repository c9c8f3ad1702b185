import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import golden from '../testing/golden.json' with { type: 'json' };
import { model, modelBytes } from '../testing/model.ts';
import { loadModel, MODEL_VERSION, type TextSentiment } from './model.ts';

const PLACES = 4;

function expectProbabilities({ positive, neutral, negative, score }: TextSentiment): void {
  for (const probability of [positive, neutral, negative]) {
    expect(probability).toBeGreaterThanOrEqual(0);
    expect(probability).toBeLessThanOrEqual(1);
  }
  expect(positive + neutral + negative).toBeCloseTo(1, 9);
  expect(score).toBe(positive - negative);
}

describe('the model', () => {
  test('gives the recorded probabilities of its file', () => {
    expect(golden.length).toBeGreaterThanOrEqual(60);
    for (const { text, target, ...expected } of golden) {
      const { score: _, ...probabilities } = model.classify(text, target);
      for (const label of ['negative', 'neutral', 'positive'] as const) {
        expect(probabilities[label], `${label}: ${text}`).toBeCloseTo(expected[label], PLACES);
      }
    }
  });

  test('has a version derived from its content', () => {
    expect(model.version).toBe('headline-3-9d4eb567');
    expect(MODEL_VERSION).toBe(model.version);
  });

  test('keeps no state between texts', () => {
    const first = model.classify('Gold climbs');
    model.classify('Markets crash on war fears and bank failures, oil jumps and bonds tumble '.repeat(5));
    expect(model.classify('Gold climbs')).toEqual(first);
  });

  test('shares nothing with a second model', () => {
    const other = loadModel(modelBytes);
    const first = model.classify('Gold climbs');
    other.classify('Bank fails');
    expect(model.classify('Gold climbs')).toEqual(first);
    expect(other.classify('Gold climbs')).toEqual(first);
  });

  test('does not depend on the bytes of the file after loading', () => {
    const bytes = Uint8Array.from(modelBytes);
    const own = loadModel(bytes);
    bytes.fill(0);
    expect(own.classify('Gold climbs')).toEqual(model.classify('Gold climbs'));
  });

  test('accepts any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => expectProbabilities(model.classify(text))),
      { numRuns: 200 },
    );
  });

  test.each([
    ['nothing', ''],
    ['control characters', '\u0000\u0001\u001b[31m\u0007\u009f'],
    ['emoji only', '🚀🌕💎👐🏽'],
    ['lone surrogates', '\ud800 gains \udc00\udc00 falls \ud83d'],
    ['invalid character references', '&#x110000; &#99999999999; &#X41; &constructor; &#; &;'],
    ['right-to-left marks', '\u202egold\u202c falls \u200f'],
    ['one long word', 'x'.repeat(100_000)],
    ['one long number', '1,'.repeat(100_000)],
    ['a long run of dashes', `gold ${'-'.repeat(100_000)} x`],
    ['a long run of ampersands', '&'.repeat(100_000)],
    ['ligatures that expand 18 times', '\ufdfa'.repeat(100_000)],
    ['ten million characters', 'Stocks gain & bonds fall $AAPL @who https://x.y '.repeat(210_000)],
  ])('handles %s', (_, text) => {
    expectProbabilities(model.classify(text));
  });

  test('removes markers from a text', () => {
    expect(model.classify('\ue000 gains')).toEqual(model.classify('gains'));
    expect(model.classify('&#xe000; gains')).toEqual(model.classify('gains'));
  });

  test('ignores everything after the first pieces and words', () => {
    const start = 'Stocks gain on hopes of a deal and '.repeat(12);
    expect(model.classify(`${start} markets crash`)).toEqual(model.classify(start));
  });
});

describe('a target', () => {
  const gold = { up: ['gold'], down: ['dollar', 'us dollar'] };

  test('decides which asset the score is about', () => {
    const text = 'Gold drops as dollar climbs';
    expect(model.classify(text, gold).score).toBeLessThan(0);
    expect(model.classify(text, { up: ['dollar'], down: ['gold'] }).score).toBeGreaterThan(0);
  });

  test('inverts a text that names only what moves against it', () => {
    const plain = model.classify('Dollar jumps', { up: ['dollar'], down: [] });
    const inverted = model.classify('Dollar jumps', gold);
    expect(plain.score).toBeGreaterThan(0.5);
    expect(inverted).toEqual({
      positive: plain.negative,
      neutral: plain.neutral,
      negative: plain.positive,
      score: -plain.score,
    });
  });

  test('changes nothing if the text does not name it', () => {
    expect(model.classify('Oil jumps', gold)).toEqual(model.classify('Oil jumps'));
    expect(model.classify('Golden days', gold)).toEqual(model.classify('Golden days'));
  });

  test('may have names that are empty or contain special characters', () => {
    const odd = { up: ['', ' ', '(', 'a.b', '\\', '['], down: ['+'] };
    expectProbabilities(model.classify('aXb ( gains +', odd));
    expect(model.classify('axb gains', odd)).toEqual(model.classify('axb gains'));
  });
});
