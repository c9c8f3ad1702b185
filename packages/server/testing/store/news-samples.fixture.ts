// Sample news for the store suites.

import type { NewsDetail } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import type { Move, StoredNews } from '../../src/store/news-store.ts';
import { newsDetail } from '../news.fixture.ts';
import { MONDAY, XAUUSD } from './samples.fixture.ts';

/** An item published, received and stored this many minutes into Monday. */
export const news = (id: string, minute: number, changes: Partial<NewsDetail> = {}): StoredNews => ({
  item: newsDetail(id, { timestamp: new Date(MONDAY + minute * MINUTE_MS).toISOString(), ...changes }),
  seenAt: MONDAY + minute * MINUTE_MS,
  knownAt: MONDAY + minute * MINUTE_MS,
  guid: null,
});

export const move = (id: string, percent: number | null, horizonMinutes = 15): Move => ({
  id,
  horizonMinutes,
  symbol: percent === null ? null : XAUUSD,
  percent,
});
