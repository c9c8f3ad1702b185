import { expect, test } from 'bun:test';
import { CATALOGUE } from '@tickwire/engine';
import { likeliest } from '@tickwire/sentiment';
import { model } from '../../../../sentiment/testing/model.ts';
import { InstrumentMatcher } from './instrument-matcher.ts';
import { targetsOf } from './sentiment-targets.ts';
import { tokenize } from './tokenizer.ts';

const matcher = new InstrumentMatcher(CATALOGUE);

test.each([
  ['US dollar tumbles to three-year low', { EURUSD: 'positive', USDJPY: 'negative' }],
  ['Loonie falls', { USDCAD: 'positive' }],
  ['Yen jumps to strongest since 2024', { USDJPY: 'negative' }],
  ['Gold slips as the dollar gains', { XAUUSD: 'negative' }],
  ['Bitcoin slides as ether gains', { BTCUSD: 'negative', ETHUSD: 'positive' }],
])('each instrument of "%s" has its own sign', (title, expected) => {
  const symbols = matcher.match(tokenize(title));
  const signs = symbols.map((symbol) => [
    symbol,
    likeliest(model.classify(title, targetsOf(symbol, CATALOGUE.find((each) => each.symbol === symbol)?.name))),
  ]);
  expect(Object.fromEntries(signs)).toMatchObject(expected);
});
