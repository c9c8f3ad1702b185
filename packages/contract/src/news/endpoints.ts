// Endpoints for news: the feed, its sentiment, the accuracy of the scores, sources and pushed news.
import { endpoint } from '../common/endpoint.ts';
import { NewsCalibration } from './calibration.ts';
import { NewsIngestAnswer, NewsLine } from './ingest.ts';
import { NewsItemDetail } from './item.ts';
import { NewsList, NewsQuery } from './schemas.ts';
import { NewsSentiment, NewsSentimentQuery } from './sentiment.ts';
import { NewsSourceList } from './sources.ts';

export const NEWS_ENDPOINTS = {
  news: endpoint({
    method: 'GET',
    path: '/api/news',
    tag: 'News',
    summary: 'List news',
    description:
      'Returns the news feed with sentiment, newest first. Reports of several sources on the same story form one item, the ' +
      'earliest. An updated headline is a revision of its item. To page back, set `before` to the `id` of the last item you ' +
      'have (with `detail=true`).',
    auth: 'key',
    scope: 'read',
    query: NewsQuery,
    response: NewsList,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  newsItem: endpoint({
    method: 'GET',
    path: '/api/news/{id}',
    tag: 'News',
    summary: 'Get a news item',
    description:
      'Returns one item with all its fields, and for each instrument that it mentions the price at its publication and 5, 30, 60 ' +
      'and 240 minutes later. Prices come from minute bars.',
    auth: 'key',
    scope: 'read',
    response: NewsItemDetail,
    errors: ['malformed_path', 'news_not_found', 'store_unavailable'],
  }),
  newsSentiment: endpoint({
    method: 'GET',
    path: '/api/news/sentiment',
    tag: 'News',
    summary: 'Get the sentiment of the news over time',
    description:
      'Returns the number of items per label and their average score, by interval and category, over the last day, week or month.',
    auth: 'key',
    scope: 'read',
    query: NewsSentimentQuery,
    response: NewsSentiment,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  newsCalibration: endpoint({
    method: 'GET',
    path: '/api/news/calibration',
    tag: 'News',
    summary: 'Get the accuracy of the sentiment scores',
    description:
      'Returns, for each model, category and label, how often the market moved as predicted within 15, 60 and 240 minutes, ' +
      'with the 95 % confidence interval of that rate. A wide interval means that there are too few items for a conclusion. ' +
      '`labels` tells, by category, how well the probabilities of `certainty` are calibrated.',
    auth: 'key',
    scope: 'read',
    response: NewsCalibration,
    errors: ['store_unavailable'],
  }),
  newsSources: endpoint({
    method: 'GET',
    path: '/api/news/sources',
    tag: 'News',
    summary: 'Get the status of the news sources',
    description: 'Returns the state and counters of each source, and how many items curation dropped, by reason.',
    auth: 'key',
    scope: 'admin',
    response: NewsSourceList,
    errors: [],
  }),
  ingestNews: endpoint({
    method: 'POST',
    path: '/ingest/news',
    tag: 'Ingest',
    summary: 'Push news',
    description:
      'Accepts news from your own sources as NDJSON, plain or compressed with gzip. Each line is accepted or rejected on its ' +
      'own: the response counts the accepted lines and lists the rejected ones. Accepted items are curated like those of any ' +
      'source: duplicates are merged and off-topic items are dropped. An account revises only its own items, and the names of ' +
      'configured sources are reserved. The rate limit counts lines, not requests.',
    auth: 'key',
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
