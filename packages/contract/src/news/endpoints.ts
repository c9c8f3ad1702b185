// Endpoints for news: the feed, its sentiment, the accuracy of the scores, sources and pushed news.
import { ADMIN, endpoint, READ } from '../common/endpoint.ts';
import { NewsCalibration } from './calibration.ts';
import { NewsIngestAnswer, NewsLine } from './ingest.ts';
import { NewsItemDetail } from './item.ts';
import { NewsList, NewsQuery } from './schemas.ts';
import { NewsSentiment, NewsSentimentQuery } from './sentiment.ts';
import { NewsSourceList } from './sources.ts';

const NEWS = { ...READ, tag: 'News' } as const;

export const NEWS_ENDPOINTS = {
  news: endpoint({
    ...NEWS,
    replay: true,
    path: '/api/news',
    ignoresUnknown: true,
    summary: 'List news',
    description:
      'Returns the news feed with sentiment, newest first. Reports of the same story form one item, the earliest; an updated headline is a revision of it. To page back, set `before` to the `id` of the last item (with `detail=true`).',
    query: NewsQuery,
    response: NewsList,
  }),
  newsItem: endpoint({
    ...NEWS,
    replay: true,
    path: '/api/news/{id}',
    summary: 'Get a news item',
    description:
      'Returns one item with all fields, and the prices of the instruments it mentions at its publication and 5, 30, 60 and 240 minutes later.',
    response: NewsItemDetail,
    errors: ['news_not_found'],
  }),
  newsSentiment: endpoint({
    ...NEWS,
    replay: true,
    path: '/api/news/sentiment',
    summary: 'Get the sentiment of the news over time',
    description:
      'Returns the number of items per label and their average score, by interval and category, over the last day, week or month.',
    query: NewsSentimentQuery,
    response: NewsSentiment,
  }),
  newsCalibration: endpoint({
    ...NEWS,
    path: '/api/news/calibration',
    summary: 'Get the accuracy of the sentiment scores',
    description:
      'Returns how often the market moved as predicted within 15, 60 and 240 minutes, by model, category and label, with 95 % confidence intervals.',
    response: NewsCalibration,
  }),
  newsSources: endpoint({
    ...ADMIN,
    method: 'GET',
    path: '/api/news/sources',
    tag: 'News',
    summary: 'Get the status of the news sources',
    description: 'Returns the state and counters of each source, and how many items curation dropped, by reason.',
    response: NewsSourceList,
  }),
  ingestNews: endpoint({
    method: 'POST',
    path: '/ingest/news',
    tag: 'Ingest',
    summary: 'Push news',
    description:
      'Accepts news from your own sources. Each line is accepted or rejected separately. Duplicates are merged and off-topic ' +
      'items are dropped. An account revises only its own items. The rate limit counts lines, not requests.',
    auth: 'key',
    scope: 'ingest',
    lines: NewsLine,
    idempotent: true,
    response: NewsIngestAnswer,
  }),
} as const;
