import { expect, test } from 'bun:test';
import { model } from '../testing/model.ts';
import { likeliest } from './labels.ts';
import { OTHER } from './markers.ts';
import { turnNegations } from './negations.ts';

test.each([
  [`Not selling ${OTHER} here`, `would buy ${OTHER} here`],
  [`Would not short ${OTHER}`, `would buy ${OTHER}`],
  ["Don't sell your bitcoin", 'would buy your bitcoin'],
  ["I'm not bearish on gold", "I'm bullish on gold"],
  [`Not worried about ${OTHER}`, `confident about ${OTHER}`],
])('in a post: %s', (text, expected) => {
  expect(turnNegations(text)).toBe(expected);
});

test.each([
  'Fed will not sell bonds this year',
  'Bank of England not worried about inflation',
  `Not buying ${OTHER} here`,
  `Supplies are not short of demand, ${OTHER}`,
  'Notable sellers leave',
])('unchanged: %s', (text) => {
  expect(turnNegations(text)).toBe(text);
});

test.each([
  ['Not selling $ABC here', 'positive'],
  ['Would not short $ABC', 'positive'],
  ["I'm not bearish on gold", 'positive'],
  ['Not buying $ABC here', 'negative'],
  ["I'm not bullish on gold", 'negative'],
] as const)('the model reads %s as %s', (text, expected) => {
  expect(likeliest(model.classify(text))).toBe(expected);
});
