// A perpetual among the instruments of a test service, and what its venue publishes of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asEpochMs, asSymbol, HOUR_MS } from '@tickwire/engine';
import type { LiquidationEvent, PerpetualEvent } from '../src/journal/perpetual-events.ts';
import { type Settings, temporaryFolder } from './service.fixture.ts';

export const BTC_PERPETUAL = 'BTCUSDT.P';

/** Adds perpetuals to the instruments. */
export function withPerpetuals(symbols: readonly string[] = [BTC_PERPETUAL]): Settings {
  const file = join(temporaryFolder(), 'instruments.json');
  const instruments = symbols.map((symbol) => ({
    symbol,
    name: `${symbol} perpetual`,
    type: 'crypto',
    ...{ contract: 'perpetual', underlying: 'BTC', venue: 'bybit' },
    ...{ pip_size: 1, digits: 2, contract_size: 1, contract_unit: 'BTC', currency: 'USDT' },
    ...{ margin_rate: 0.5, min_lot: 0.01, max_lot: 50, hours: 'always' },
  }));
  writeFileSync(file, JSON.stringify({ instruments }));
  return { instruments: file };
}

let made = 0;

/** Each is another one. */
export const figuresEvent = (changes: Partial<PerpetualEvent> = {}): PerpetualEvent => ({
  kind: 'perpetual',
  symbol: asSymbol(BTC_PERPETUAL),
  venue: 'bybit',
  time: asEpochMs(Date.now()),
  markPrice: 68_000 + ++made,
  indexPrice: 68_000.5,
  fundingRate: 0.0001,
  fundingIntervalMs: 8 * HOUR_MS,
  nextFundingTime: asEpochMs(1_772_467_200_000),
  openInterest: 57_798.137,
  ...changes,
});

export const liquidationEvent = (changes: Partial<LiquidationEvent> = {}): LiquidationEvent => ({
  kind: 'liquidation',
  symbol: asSymbol(BTC_PERPETUAL),
  venue: 'bybit',
  time: asEpochMs(Date.now()),
  side: 'sell',
  price: 67_900 + ++made,
  size: 0.25,
  ...changes,
});
