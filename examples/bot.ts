// A trading bot. It follows minute bars with two moving averages and the average true range, all computed by the
// service. When a bar closes and the bot has no active signal, it publishes one in the direction of the trend.
//
//   TICKWIRE_API_KEY=tw_… bun examples/bot.ts EURUSD         # a key with the scope `publish`
import { TickwireClient, TickwireError } from '@tickwire/client';

const FAST = 'ema(9)';
const SLOW = 'ema(21)';
const RANGE = 'atr(14)';

const [symbol = 'EURUSD'] = process.argv.slice(2);
const client = new TickwireClient(); // TICKWIRE_URL and TICKWIRE_API_KEY

const { id: publisher } = await client.account.get();
const { digits } = (await client.symbols({ detail: true })).items.find((each) => each.symbol === symbol)!;
const round = (price: number) => Number(price.toFixed(digits));

/** Enters at the market, with the stop three ranges away and the target six. */
async function publish(direction: 'buy' | 'sell', range: number): Promise<void> {
  const { bid, ask, spread } = await client.quote(symbol);
  const entry = direction === 'buy' ? ask : bid;
  const risk = Math.max(3 * range, 3 * spread) * (direction === 'buy' ? 1 : -1);
  const levels = { entry, stop_loss: round(entry - risk), take_profit: round(entry + 2 * risk) };
  const signal = await client.publishSignal({ symbol, direction, ...levels });
  console.log(`published ${signal.id}: ${direction} ${symbol} at ${entry}`);
}

const bars = client.live.bars({ symbols: [symbol], timeframe: '1m', indicators: [FAST, SLOW, RANGE] });
console.log(`following ${symbol}`);
for await (const { closed, close, indicators } of bars) {
  if (!closed) continue;
  const [fast, slow, range] = [FAST, SLOW, RANGE].map((name) => indicators?.[name]?.value);
  if (typeof fast !== 'number' || typeof slow !== 'number' || typeof range !== 'number') continue; // too few bars
  console.log(`close ${close}, ${FAST} ${round(fast)}, ${SLOW} ${round(slow)}`);
  try {
    const { count } = await client.signals({ symbol, user: publisher, limit: 1 });
    if (count === 0 && fast !== slow) await publish(fast > slow ? 'buy' : 'sell', range);
  } catch (error) {
    if (!(error instanceof TickwireError)) throw error;
    console.log(`not published: ${error.message}`); // the market is closed, a limit is reached, the network failed
  }
}
