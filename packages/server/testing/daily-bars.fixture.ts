// Daily bars older than those of the simulated markets, for questions about years.
import { asEpochMs, asSymbol, DAY_MS } from '@tickwire/engine';
import type { BarRow } from '../src/store/market-store.ts';
import type { RunningService } from './service.fixture.ts';

/** Stores weekday bars from `from` on, up to the first bar that the service has. Each symbol has a wave of its own. */
export async function storeDailyBars(
  { app }: Pick<RunningService, 'app'>,
  symbols: Readonly<Record<string, number>>,
  from: number,
): Promise<void> {
  const bars: BarRow[] = [];
  for (const [at, [symbol, price]] of Object.entries(symbols).entries()) {
    const [first] = await app.store.market.bars({
      symbol: asSymbol(symbol),
      timeframe: '1d',
      from: 0,
      to: Date.now(),
      limit: 1,
      first: 'oldest',
    });
    const closeOn = (day: number): number =>
      price * (1 + 0.1 * Math.sin(day / (20 + 7 * at)) + 0.0001 * (day % (5 + at)));
    for (let time = from; time < (first?.time ?? Date.now()); time += DAY_MS) {
      if ([0, 6].includes(new Date(time).getUTCDay())) continue;
      const day = time / DAY_MS;
      const [open, close] = [closeOn(day - 1), closeOn(day)].map((value) => Number(value.toFixed(5)));
      const [high, low] = [Math.max(open!, close!) + price / 1_000, Math.min(open!, close!) - price / 1_000];
      bars.push({
        symbol: asSymbol(symbol),
        timeframe: '1d',
        time: asEpochMs(time),
        open: open!,
        high: Number(high.toFixed(5)),
        low: Number(low.toFixed(5)),
        close: close!,
        volume: 123_456.78,
        bidVolume: 60_000,
        askVolume: 63_456.78,
        basis: 'trade',
      });
    }
  }
  await app.store.market.write({ bars, prices: [], barsUntil: from });
}
