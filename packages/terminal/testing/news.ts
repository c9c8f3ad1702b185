// Headlines for the tests of the news.
import type { NewsDetail } from '@tickwire/client';

export const newsAt = (minute: number): string => new Date(Date.UTC(2026, 2, 2, 10, minute)).toISOString();

export const newsItemOf = (id: string, minute: number, changes: Partial<NewsDetail> = {}): NewsDetail => ({
  title: `Headline ${id}`,
  category: 'macro',
  sentiment: 'neutral',
  sentiment_score: 0.1,
  timestamp: newsAt(minute),
  id,
  url: null,
  source: 'a wire',
  account: null,
  published_at: newsAt(minute),
  model: 'headline-3',
  certainty: null,
  symbols: [],
  sentiments: [],
  cluster: 1,
  revision: 0,
  ...changes,
});
