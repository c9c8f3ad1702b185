import { describe, expect, test } from 'bun:test';
import type { NewsCategory } from '@tickwire/contract';
import { CATALOGUE } from '@tickwire/engine';
import { readHeadlines } from '../../../testing/news/headlines.fixture.ts';
import { recording, recordingSets } from '../../../testing/shared-data.fixture.ts';
import { CategoryClassifier } from './category-classifier.ts';
import { tokenize } from './tokenizer.ts';

const classifier = new CategoryClassifier(CATALOGUE);
const classify = (title: string, source: NewsCategory | null = null, summary: string | null = null): string => {
  const result = classifier.classify(source, tokenize(title), summary === null ? null : tokenize(summary));
  return 'category' in result ? result.category : `off: ${result.offTopic}`;
};

describe('the category classifier', () => {
  test.each([
    ['Gold slips as dollar firms ahead of Fed minutes', 'gold'],
    ['Silver futures fall 0.36%', 'gold'],
    ['EUR/USD drops below 1.0600', 'forex'],
    ['Yen weakens past 150 per dollar', 'forex'],
    ['Bitcoin ETF inflows hit record', 'crypto'],
    ['Solana network halts for five hours, token drops', 'crypto'],
    ['Fed raises interest rates by 25 basis points', 'macro'],
    ['Eurozone Preliminary Manufacturing PMI drops to 48.5', 'macro'],
    ['Oil jumps as OPEC cuts output', 'macro'],
    ['US unemployment rate falls to 3.9%', 'macro'],
  ])('puts %p into %p', (title, category) => {
    expect(classify(title)).toBe(category);
  });

  test.each([
    ['Calvin Klein deal to help Arvind rise the market ladder', 'off: no_market'],
    ['Samsung India mobile chief joins rival as CEO', 'off: no_market'],
    ['Swimmer wins gold medal in 200 m final', 'off: sport'],
    ['Dollar General opens 20 new stores', 'off: no_market'],
    ['Sponsored: trade bitcoin with zero fees', 'off: advertising'],
    ['Bitcoin price prediction: could BTC hit $1m?', 'off: price_prediction'],
    ['Gold dress steals the show on the red carpet', 'off: celebrity'],
  ])('rejects %p as %p', (title, reason) => {
    expect(classify(title)).toBe(reason);
  });

  test('the category of the source keeps an item on topic, but not its advertising', () => {
    expect(classify('Reflections on a year of change')).toBe('off: no_market');
    expect(classify('Reflections on a year of change', 'macro')).toBe('macro');
    expect(classify('Sponsored: reflections on a year of change', 'macro')).toBe('off: advertising');
  });

  test('a close result goes to the category of the source, then to the more specific one; a clear lead wins', () => {
    const close = 'Gold and bitcoin rise together';
    expect(classify(close)).toBe('gold');
    expect(classify(close, 'crypto')).toBe('crypto');
    expect(classify('Bitcoin and ethereum jump as crypto exchange lists new token', 'macro')).toBe('crypto');
  });

  test('the summary counts half', () => {
    expect(classify('A quiet day', null, 'Inflation was unchanged in May')).toBe('off: no_market');
    expect(classify('A quiet day', null, 'Inflation and unemployment were unchanged in May')).toBe('macro');
  });

  test('classifies real headlines about currencies', () => {
    const path = recording('headlines/forex/forex_headlines_excerpt_dev.csv');
    const forex = readHeadlines(path, 'title').map((title) => classify(title));
    const kept = forex.filter((category) => category === 'forex' || category === 'macro');
    console.log(`forex headlines kept as forex or macro: ${kept.length} of ${forex.length}`);
    expect(kept.length / forex.length).toBeGreaterThan(0.9);
  });

  test.each(recordingSets('headlines/sentfin'))('classifies real headlines about gold, %s set', (_set, path) => {
    const all = path('headlines/sentfin/SEntFiN.csv');
    const gold = readHeadlines(all, 'Title', (row) => /'Gold'/.test(row.Decisions!));
    const found = gold.filter((title) => classify(title) === 'gold');
    console.log(`headlines annotated as about gold that are in gold: ${found.length} of ${gold.length}`);
    expect(gold.length).toBeGreaterThan(30);
    expect(found.length / gold.length).toBeGreaterThan(0.85);
  });
});
