import { describe, expect, test } from 'bun:test';
import { RESPONSE_EXAMPLES } from './examples.ts';
import { MarketQuery, MarketResponse, OhlcvBarDetail } from './market.ts';
import { openApiDocument } from './openapi.ts';

const [example] = (OhlcvBarDetail.meta()?.examples ?? []) as OhlcvBarDetail[];

describe('the market response', () => {
  test('takes bars with and without their taker volumes, and loses nothing of either', () => {
    const { ohlcv, ...rest } = RESPONSE_EXAMPLES.market;
    const both = { ...rest, ohlcv: [...ohlcv, example!] };
    expect(MarketResponse.parse(both)).toEqual(both);
  });

  test('shows a bar in detail whose takers took its volume', () => {
    expect(OhlcvBarDetail.parse(example)).toEqual(example!);
    expect(example!.bid_volume + example!.ask_volume).toBe(example!.volume);
    expect(JSON.stringify(openApiDocument())).toContain(JSON.stringify(example));
  });

  test('refuses taker volumes that cannot be', () => {
    expect(OhlcvBarDetail.safeParse({ ...example, bid_volume: -1 }).success).toBe(false);
    expect(OhlcvBarDetail.safeParse({ ...example, ask_volume: undefined }).success).toBe(false);
  });
});

test('bars come plain unless asked for in detail', () => {
  expect(MarketQuery.parse({})).toEqual({ timeframe: '1h', bars: 100, detail: false });
  expect(MarketQuery.parse({ detail: 'true' }).detail).toBe(true);
  for (const detail of ['', '1', 'yes']) expect(MarketQuery.safeParse({ detail }).success).toBe(false);
});
