// A bot that runs live, and over yesterday with one changed line. On minute bars, it is long while a fast average is above a slow one,
// and short while it is below. It prints its trades and what they gave: at closing prices, without spread and fees. It publishes nothing.
//
//   TICKWIRE_API_KEY=tw_… bun examples/replay-bot.ts BTCUSD
import { TickwireClient } from '@tickwire/client';

const FAST = 'ema(9)';
const SLOW = 'ema(21)';
const DAY_MS = 86_400_000;

const [symbol = 'BTCUSD'] = process.argv.slice(2);
const client = new TickwireClient(); // TICKWIRE_URL and TICKWIRE_API_KEY

const markets = {
  /** The present, which does not end. */
  live: async () => ({ client, lockstep: false, end: async () => {} }),

  /** The last whole day in UTC, as fast as the bot is: its clock waits for each decision. */
  async yesterday() {
    const to = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const range = { from: new Date(to - DAY_MS).toISOString(), to: new Date(to).toISOString() };
    const { id } = await client.createReplay({ symbols: [symbol], ...range, speed: 'max', start: 'playing' });
    return { client: client.replay(id), lockstep: true, end: () => client.deleteReplay(id) };
  },
};

const market = await markets.yesterday(); // in the present: markets.live()

const bars = market.client.live.bars({
  symbols: [symbol],
  timeframe: '1m',
  indicators: [FAST, SLOW],
  maxRate: 0.1, // forming bars are of no interest
  lockstep: market.lockstep,
});
console.log(`following ${symbol}`);

let side = 0;
let entry = 0;
const results: number[] = [];

/** Closes the position, if there is one, and opens another. */
function turn(to: number, price: number, time: string): void {
  const percent = side * (price / entry - 1) * 100;
  if (side !== 0) results.push(percent);
  const closed = side === 0 ? '' : `, ${percent.toFixed(3)} %`;
  console.log(`${time} ${to > 0 ? 'long' : to < 0 ? 'short' : 'flat'} at ${price}${closed}`);
  side = to;
  entry = price;
}

let last: { readonly close: number; readonly time: string } | null = null;
try {
  for await (const { closed, time, close, indicators } of bars) {
    if (!closed) continue;
    last = { close, time: new Date(time * 1_000).toISOString() };
    const [fast, slow] = [FAST, SLOW].map((name) => indicators?.[name]?.value);
    if (typeof fast !== 'number' || typeof slow !== 'number') continue; // too few bars
    const wanted = Math.sign(fast - slow);
    if (wanted !== 0 && wanted !== side) turn(wanted, close, last.time);
  }
} finally {
  await market.end();
}
if (last && side !== 0) turn(0, last.close, last.time);

const total = results.reduce((sum, percent) => sum + percent, 0);
const won = results.filter((percent) => percent > 0).length;
console.log(`record: ${results.length} trades, ${won} won, ${total.toFixed(3)} %`);
