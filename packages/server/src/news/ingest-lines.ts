// Reads the lines of POST /ingest/news.
import { NewsLine } from '@tickwire/contract';
import { asEpochMs } from '@tickwire/engine';
import { lineReader } from '../documents/pushed-lines.ts';
import { MAX_AHEAD_MS, type RawItem } from './news-source.ts';

const WEIGHT = 1;

export const readNewsLines = lineReader<NewsLine, RawItem>(NewsLine, (line, source, { account, now }) => {
  const time = typeof line.time === 'string' ? Date.parse(line.time) : line.time;
  if (time !== undefined && time > now + MAX_AHEAD_MS)
    return { code: 'future_time', detail: 'the time is in the future' };
  return {
    source,
    account,
    category: line.category ?? null,
    weight: WEIGHT,
    guid: line.id ?? null,
    url: line.url ?? null,
    title: line.title,
    summary: line.summary ?? null,
    publishedAt: time === undefined ? null : asEpochMs(time),
    seenAt: asEpochMs(now),
  };
});
