// News events for tests.
import type { NewsDetail } from '@tickwire/contract';
import type { NewsEvent } from '../src/journal/journal.ts';

export const newsDetail = (id: string, changes: Partial<NewsDetail> = {}): NewsDetail => ({
  title: `Headline ${id}`,
  category: 'macro',
  sentiment: 'neutral',
  sentiment_score: 0.1,
  timestamp: '2026-03-02T11:10:00.000Z',
  id,
  url: null,
  source: 'a wire',
  account: null,
  published_at: changes.timestamp ?? '2026-03-02T11:10:00.000Z',
  model: 'headline-3',
  certainty: null,
  symbols: [],
  sentiments: [],
  cluster: 1,
  revision: 0,
  ...changes,
});

export const newsEvent = (id: string, changes: Partial<NewsDetail> = {}): NewsEvent => ({
  kind: 'news',
  item: newsDetail(id, changes),
  revised: (changes.revision ?? 0) > 0,
});
