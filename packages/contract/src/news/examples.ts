// Examples of news. The same two items appear in the feed, on the stream and in the AI brief.
import type { EndpointExamples } from '../common/endpoint.ts';
import type { NEWS_ENDPOINTS } from './endpoints.ts';
import type { NewsDetail, NewsItem } from './schemas.ts';

const gold: NewsItem = {
  title: 'Gold holds near its high as real yields ease',
  category: 'gold',
  sentiment: 'bullish',
  sentiment_score: 0.62,
  timestamp: '2026-03-02T11:10:00.000Z',
};
const inflation: NewsItem = {
  title: 'Euro-area inflation prints in line with expectations',
  category: 'macro',
  sentiment: 'neutral',
  sentiment_score: 0.05,
  timestamp: '2026-03-02T10:00:00.000Z',
};

export const NEWS_EXAMPLES: readonly NewsItem[] = [gold, inflation];

export const NEWS_DETAIL_EXAMPLE: NewsDetail = {
  ...gold,
  id: 'news_4d9s2v7b',
  url: 'https://news.example.com/gold-holds-near-its-high',
  source: 'example-wire',
  account: null,
  published_at: gold.timestamp,
  model: 'news-sentiment',
  certainty: {
    confidence: 0.78,
    undecided: false,
    probabilities: { bearish: 0.16, neutral: 0.06, bullish: 0.78 },
  },
  symbols: ['XAUUSD'],
  sentiments: [{ symbol: 'XAUUSD', sentiment: gold.sentiment, sentiment_score: gold.sentiment_score }],
  cluster: 3,
  revision: 0,
};

export const NEWS_REVISION_EXAMPLE: NewsDetail = {
  ...NEWS_DETAIL_EXAMPLE,
  title: 'Gold sets a record high as real yields ease',
  sentiment_score: 0.81,
  sentiments: [{ symbol: 'XAUUSD', sentiment: 'bullish', sentiment_score: 0.81 }],
  certainty: {
    confidence: 0.88,
    undecided: false,
    probabilities: { bearish: 0.07, neutral: 0.05, bullish: 0.88 },
  },
  cluster: 5,
  revision: 1,
};

export const NEWS_ENDPOINT_EXAMPLES: EndpointExamples<typeof NEWS_ENDPOINTS> = {
  news: { request: '/api/news?category=gold,macro&limit=2', response: { items: [...NEWS_EXAMPLES] } },
  newsItem: {
    request: '/api/news/news_4d9s2v7b',
    response: {
      ...NEWS_DETAIL_EXAMPLE,
      market: [
        {
          symbol: 'XAUUSD',
          at: 2409.8,
          after: [
            { minutes: 5, price: 2411.45, change_percent: 0.0685 },
            { minutes: 30, price: 2414.2, change_percent: 0.1826 },
          ],
        },
      ],
    },
  },
  newsSentiment: {
    request: '/api/news/sentiment?category=gold,macro',
    response: {
      period: 'day',
      symbol: null,
      stretch_seconds: 3_600,
      from: '2026-03-01T12:00:00.000Z',
      to: '2026-03-02T12:00:00.000Z',
      items: [
        {
          time: '2026-03-02T10:00:00.000Z',
          category: 'macro',
          count: 1,
          bullish: 0,
          neutral: 1,
          bearish: 0,
          mean_score: 0.05,
        },
        {
          time: '2026-03-02T11:00:00.000Z',
          category: 'gold',
          count: 2,
          bullish: 1,
          neutral: 1,
          bearish: 0,
          mean_score: 0.355,
        },
      ],
      count: 2,
    },
  },
  newsCalibration: {
    request: '/api/news/calibration',
    response: {
      items: [
        {
          model: 'news-sentiment',
          category: 'gold',
          sentiment: 'bullish',
          horizon_minutes: 60,
          items: 214,
          hits: 118,
          hit_rate: 0.5514,
          hit_rate_low: 0.4844,
          hit_rate_high: 0.6165,
          average_move_percent: 0.041,
        },
        {
          model: 'news-sentiment',
          category: 'crypto',
          sentiment: 'bearish',
          horizon_minutes: 240,
          items: 0,
          hits: 0,
          hit_rate: null,
          hit_rate_low: null,
          hit_rate_high: null,
          average_move_percent: null,
        },
      ],
      count: 2,
      since: '2026-01-12T08:02:11.000Z',
      labels: [
        {
          model: 'news-sentiment-1',
          category: 'gold',
          temperature: 1.2,
          least_confidence: 0.5,
          chosen_on: 250,
          measured_on: 250,
          accuracy: 0.84,
          expected_error: 0.016,
          brier_score: 0.23,
          bins: [
            { from: 0.5, to: 0.6, headlines: 50, confidence: 0.55, accuracy: 0.56 },
            { from: 0.8, to: 0.9, headlines: 80, confidence: 0.85, accuracy: 0.875 },
            { from: 0.9, to: 1, headlines: 120, confidence: 0.9545, accuracy: 0.9417 },
          ],
        },
      ],
    },
  },
  newsSources: {
    request: '/api/news/sources',
    response: {
      items: [
        {
          name: 'example-wire',
          url: 'https://news.example.com/markets.xml',
          state: 'ok',
          last_item_at: '2026-03-02T11:10:22.140Z',
          last_poll_at: '2026-03-02T11:23:41.006Z',
          items: 1_846,
          unchanged: 9_310,
          failures: 2,
          last_error: 'answered 503',
        },
      ],
      count: 1,
      left_out: { off_topic: 731, duplicate: 402 },
    },
  },
  ingestNews: {
    request: '/ingest/news',
    // The last line has no title.
    lines: [
      '{"title":"Gold holds near its high as real yields ease","url":"https://news.example.com/gold-holds-near-its-high","source":"example-wire","category":"gold","time":"2026-03-02T11:10:00Z"}',
      '{"title":"Euro-area inflation prints in line with expectations","id":"hicp-2026-02","time":1772445600000}',
      '{"title":"","source":"example-wire"}',
    ],
    response: {
      accepted: 2,
      rejected: [
        { line: 3, code: 'malformed_line', detail: 'title must be a text of 1 to 1000 characters that is not blank' },
      ],
      rejected_count: 1,
    },
  },
};
