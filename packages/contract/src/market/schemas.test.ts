import { describe, expect, test } from 'bun:test';
import { RESPONSE_EXAMPLES } from '../documents/examples.ts';
import { openApiDocument } from '../documents/openapi.ts';
import { MarketQuery, MarketResponse, OhlcvBarDetail } from './schemas.ts';

const [example] = (OhlcvBarDetail.meta()?.examples ?? []) as OhlcvBarDetail[];

describe('the market response', () => {
  test('accepts bars with and without bid and ask volume, and keeps all fields', () => {
    const { ohlcv, ...rest } = RESPONSE_EXAMPLES.market;
    const both = { ...rest, ohlcv: [...ohlcv, example!] };
    expect(MarketResponse.parse(both)).toEqual(both);
  });

  test('has an example bar whose bid and ask volume add up to its volume', () => {
    expect(OhlcvBarDetail.parse(example)).toEqual(example!);
    expect(example!.bid_volume + example!.ask_volume).toBe(example!.volume);
    expect(JSON.stringify(openApiDocument())).toContain(JSON.stringify(example));
  });

  test('rejects invalid bid and ask volumes', () => {
    expect(OhlcvBarDetail.safeParse({ ...example, bid_volume: -1 }).success).toBe(false);
    expect(OhlcvBarDetail.safeParse({ ...example, ask_volume: undefined }).success).toBe(false);
  });
});

test('the market query requests plain bars by default', () => {
  expect(MarketQuery.parse({})).toEqual({ timeframe: '1h', bars: 100, detail: false });
  expect(MarketQuery.parse({ detail: 'true' }).detail).toBe(true);
  for (const detail of ['', '1', 'yes']) expect(MarketQuery.safeParse({ detail }).success).toBe(false);
});
