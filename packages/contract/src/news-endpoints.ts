// The endpoints of news: the feed, how good its scores are, where it comes from and how to add to it.
import { endpoint } from './endpoint.ts';
import { NewsList, NewsQuery } from './news.ts';
import { NewsCalibration } from './news-calibration.ts';
import { NewsIngestAnswer, NewsLine } from './news-ingest.ts';
import { NewsSentiment, NewsSentimentQuery } from './news-sentiment.ts';
import { NewsSourceList } from './news-sources.ts';

export const NEWS_ENDPOINTS = {
  news: endpoint({
    method: 'GET',
    path: '/api/news',
    tag: 'News',
    summary: 'The news feed with sentiment, newest first',
    description:
      'What several sources publish is one item, the earliest. An updated headline is a revision of its item. Page back with ' +
      '`before` set to the `id` of the last item you have (with `detail=true`).',
    scope: 'read',
    query: NewsQuery,
    response: NewsList,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  newsSentiment: endpoint({
    method: 'GET',
    path: '/api/news/sentiment',
    tag: 'News',
    summary: 'The sentiment of the news over the last day, week or month',
    description: 'How many items of each label every stretch of the period had, and their mean score, by category.',
    scope: 'read',
    query: NewsSentimentQuery,
    response: NewsSentiment,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  newsCalibration: endpoint({
    method: 'GET',
    path: '/api/news/calibration',
    tag: 'News',
    summary: 'How the market moved after the news, by model, category and label',
    description:
      'For each label, how often the market moved as it said within 15, 60 and 240 minutes, with the interval that the true rate ' +
      'lies in with a confidence of 95 %. A wide one means that there are too few items to tell.',
    scope: 'read',
    response: NewsCalibration,
    errors: ['store_unavailable'],
  }),
  newsSources: endpoint({
    method: 'GET',
    path: '/api/news/sources',
    tag: 'News',
    summary: 'How the sources of news are doing, and what was left out of the feed',
    scope: 'admin',
    response: NewsSourceList,
    errors: [],
  }),
  ingestNews: endpoint({
    method: 'POST',
    path: '/ingest/news',
    tag: 'Ingest',
    summary: "Takes an operator's own news, one JSON object a line",
    description:
      'The body is NDJSON, plain or gzip. Each line is taken or refused for itself; the answer counts the one and lists the other. ' +
      'What is taken is curated like the news of any source: folded where others have it, left out where it is off topic. ' +
      'The allowance is counted in lines, not in requests.',
    scope: 'ingest',
    lines: NewsLine,
    idempotent: true,
    response: NewsIngestAnswer,
    errors: [
      'idempotency_conflict',
      'invalid_parameter',
      'malformed_body',
      'payload_too_large',
      'unsupported_encoding',
      'store_unavailable',
    ],
  }),
} as const;
