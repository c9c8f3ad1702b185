// Real quotes of two markets in the order they came.
import { asEpochMs, type EpochMs } from '@tickwire/engine';
import { importAll, quotesIn } from '../import/read-rows.fixture.ts';
import { fullestRecording } from '../shared-data.fixture.ts';

export interface RealQuote {
  readonly time: EpochMs;
  readonly bid: number;
  readonly ask: number;
}

const GOLD = ['20140501_quote.zip', '20140502_quote.zip', '20140505_quote.zip'].map(
  (day) => `lean/xauusd-oanda/tick/${day}`,
);
const BITCOIN = ['binance-spot/btcusdt_20240808.gz'];

/** Three days of gold from OANDA, or some hours of each in a clone; 3 digits. */
export const goldQuotes = (): Promise<RealQuote[]> => quotesOf(GOLD, 'XAUUSD', 3);

/** Some minutes of every best quote on Binance spot, 2 digits. */
export const bitcoinQuotes = (): Promise<RealQuote[]> => quotesOf(BITCOIN, 'BTCUSDT', 2);

async function quotesOf(files: readonly string[], symbol: string, digits: number): Promise<RealQuote[]> {
  const { rows } = await importAll(files.map(fullestRecording), { symbol, digits });
  return quotesIn(rows)
    .filter(({ crossed }) => !crossed)
    .map(({ time, bid, ask }) => ({ time: asEpochMs(time), bid, ask }));
}
