import { describe, expect, test } from 'bun:test';
import type { NewsCategory } from '@tickwire/contract';
import { CATALOGUE } from '@tickwire/engine';
import { sharedDataMissing } from '../../import/shared-data.fixture.ts';
import { readHeadlines } from './headlines.fixture.ts';
import { Topics } from './topics.ts';
import { wordsOf } from './words.ts';

const topics = new Topics(CATALOGUE);
const topicOf = (title: string, source: NewsCategory | null = null, summary: string | null = null): string => {
  const topic = topics.of(source, wordsOf(title), summary === null ? null : wordsOf(summary));
  return 'category' in topic ? topic.category : `off: ${topic.offTopic}`;
};

describe('topics', () => {
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
  ])('%p is %p', (title, category) => {
    expect(topicOf(title)).toBe(category);
  });

  test.each([
    ['Calvin Klein deal to help Arvind rise the market ladder', 'off: no_market'],
    ['Samsung India mobile chief joins rival as CEO', 'off: no_market'],
    ['Swimmer wins gold medal in 200 m final', 'off: sport'],
    ['Dollar General opens 20 new stores', 'off: no_market'],
    ['Sponsored: trade bitcoin with zero fees', 'off: advertising'],
    ['Bitcoin price prediction: could BTC hit $1m?', 'off: price_prediction'],
    ['Gold dress steals the show on the red carpet', 'off: celebrity'],
  ])('%p is left out: %p', (title, reason) => {
    expect(topicOf(title)).toBe(reason);
  });

  test('a source that writes of one thing keeps it on topic, but not its advertising', () => {
    expect(topicOf('Reflections on a year of change')).toBe('off: no_market');
    expect(topicOf('Reflections on a year of change', 'macro')).toBe('macro');
    expect(topicOf('Sponsored: reflections on a year of change', 'macro')).toBe('off: advertising');
  });

  test('where two are close the source goes first, then the more special one; a clear lead of the text wins', () => {
    const close = 'Gold and bitcoin rise together';
    expect(topicOf(close)).toBe('gold');
    expect(topicOf(close, 'crypto')).toBe('crypto');
    expect(topicOf('Bitcoin and ethereum jump as crypto exchange lists new token', 'macro')).toBe('crypto');
  });

  test('the summary counts by half', () => {
    expect(topicOf('A quiet day', null, 'Inflation was unchanged in May')).toBe('off: no_market');
    expect(topicOf('A quiet day', null, 'Inflation and unemployment were unchanged in May')).toBe('macro');
  });

  test.skipIf(sharedDataMissing('headlines'))('real headlines about currencies and gold find their category', () => {
    const forex = readHeadlines('forex/forex_headlines_excerpt_dev.csv', 'title').map((title) => topicOf(title));
    const kept = forex.filter((topic) => topic === 'forex' || topic === 'macro');
    const gold = readHeadlines('sentfin/SEntFiN.csv', 'Title', (row) => /'Gold'/.test(row.Decisions!));
    const found = gold.filter((title) => topicOf(title) === 'gold');
    console.log(`forex headlines kept as forex or macro: ${kept.length} of ${forex.length}`);
    console.log(`headlines annotated as about gold that are in gold: ${found.length} of ${gold.length}`);
    expect(kept.length / forex.length).toBeGreaterThan(0.9);
    expect(found.length / gold.length).toBeGreaterThan(0.85);
  });
});
