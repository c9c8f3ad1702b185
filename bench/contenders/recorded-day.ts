// Writes a recorded day of one instrument into a data folder: ticks at an even rate, and the bars of their minutes. Then, if wanted,
// minutes of another instrument: recorded-day.ts FOLDER START TICKS_A_MINUTE [MINUTES].
import { asEpochMs, asSymbol, type Bar, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import type { TapeBlock } from '../../packages/server/src/store/market-store.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts';
import { encodeBlock } from '../../packages/server/src/store/tape-block.ts';
import { writeMinutes } from './year-of-minutes.ts';

export interface RecordedDay {
  readonly ticks: number;
}

const [folder, start, ticksAMinute, minutes = 0] = [process.argv[2]!, ...process.argv.slice(3).map(Number)] as [
  string,
  number,
  number,
  number?,
];
const SYMBOL = asSymbol('BTCUSD');
const DIGITS = 2;

const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
const blocks: TapeBlock[] = [];
const bars: Bar[] = [];
let seq = 1;
for (let minute = start; minute < start + DAY_MS; minute += MINUTE_MS) {
  const records = Array.from({ length: ticksAMinute }, (_, index) => {
    const bid = (6_000_000 + ((seq * 7) % 5_000)) / 100;
    const time = asEpochMs(minute + Math.floor((index * MINUTE_MS) / ticksAMinute));
    const event = {
      kind: 'quote' as const,
      symbol: SYMBOL,
      time,
      bid,
      ask: bid + 1,
      bidSize: 1 + (seq % 5),
      askSize: 2,
    };
    return { seq: seq++, event, source: 'bench' };
  });
  const bids = records.map(({ event }) => event.bid);
  const volume = records.reduce((sum, { event }) => sum + event.bidSize + event.askSize, 0);
  bars.push({
    time: asEpochMs(minute),
    open: bids[0]!,
    high: Math.max(...bids),
    low: Math.min(...bids),
    close: bids.at(-1)!,
    volume,
    bidVolume: 0,
    askVolume: 0,
    basis: 'bid',
  });
  const bytes = encodeBlock(records, minute, DIGITS);
  const [first] = records;
  blocks.push({
    ...{ symbol: SYMBOL, minute: asEpochMs(minute), firstSeq: first!.seq, count: ticksAMinute },
    ...{ bidVolume: 0, askVolume: 0, bytes },
  });
}
await store.market.writeTape(blocks);
await store.market.writeImported({
  bars: bars.map((bar) => ({ ...bar, symbol: SYMBOL, timeframe: '1m' })),
  prices: [],
  numbers: {},
  days: [],
  watched: [],
});
await writeMinutes(store, asSymbol('EURUSD'), minutes);
await store.market.setNumber('seq_reserved', seq + 1);
await store.close();
console.log(JSON.stringify({ ticks: seq - 1 } satisfies RecordedDay));
