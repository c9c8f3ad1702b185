// News to put into a store, for the suites that every store must pass.
import type { NewsDetail } from '@tickwire/contract';
import { newsDetail } from '../testing/news.fixture.ts';
import type { Move, StoredNews } from './news-store.ts';
import { MINUTE, MONDAY, XAUUSD } from './samples.fixture.ts';

/** An item published and seen so many minutes into Monday. */
export const news = (id: string, minute: number, changes: Partial<NewsDetail> = {}): StoredNews => ({
  item: newsDetail(id, { timestamp: new Date(MONDAY + minute * MINUTE).toISOString(), ...changes }),
  seenAt: MONDAY + minute * MINUTE,
  guid: null,
});

export const move = (id: string, percent: number | null, horizonMinutes = 15): Move => ({
  id,
  horizonMinutes,
  symbol: percent === null ? null : XAUUSD,
  percent,
});
