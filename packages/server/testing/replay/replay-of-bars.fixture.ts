// What replay sessions need, with a past that is made of bars and a time that a test sets.
import { rmSync } from 'node:fs';
import { asEpochMs, type Bar, CATALOGUE, HOUR_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { RowAllowance } from '../../src/access/row-allowance.ts';
import { openAccess } from '../../src/app/access.ts';
import { nodeContext } from '../../src/app/node-context.ts';
import { loadConfig } from '../../src/config/config.ts';
import { Catalogue } from '../../src/market/catalogue.ts';
import { MarketView } from '../../src/market/market-view.ts';
import { silentLog as log } from '../../src/ops/log.ts';
import { type ReplaySessionsOptions, SESSION_KEPT_MS } from '../../src/replay/replay-sessions.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { BarRange } from '../../src/store/store.ts';
import { LocalDocuments } from '../../src/work/kept-documents.ts';
import { newCounts } from '../../src/ws/gateway.ts';
import { temporaryFolder } from '../service.fixture.ts';

/** Every minute has a bar from an hour before this time on. */
export const PAST_FROM = Date.UTC(2026, 2, 4, 12);
const PRICES = { open: 100, high: 102, low: 99, close: 101, basis: 'bid' as const };

function barsOf({ timeframe, from, to, limit }: BarRange): Bar[] {
  if (timeframe !== '1m') return [];
  const start = Math.ceil(Math.max(from, PAST_FROM - HOUR_MS) / MINUTE_MS) * MINUTE_MS;
  const bars: Bar[] = [];
  for (let time = start; time <= to && bars.length < limit; time += MINUTE_MS)
    bars.push({ ...PRICES, time: asEpochMs(time), volume: 4, askVolume: 2, bidVolume: 2 });
  return bars;
}

export interface ReplayOfBars {
  readonly options: ReplaySessionsOptions;
  close(): Promise<void>;
}

/** `isRead` is called before the past of an instrument is read. */
export async function replayOfBars(
  now: () => number,
  isRead: (symbol: MarketSymbol) => void = () => {},
): Promise<ReplayOfBars> {
  const folder = temporaryFolder();
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  const config = loadConfig({ flags: { data: folder, feeds: 'push' }, env: {}, cwd: folder });
  const catalogue = await Catalogue.open(config, store.market);
  const access = await openAccess({ config, store: store.access, tls: false, log, now, firstStart: false });
  const noTicks = async (symbol: MarketSymbol): Promise<[]> => {
    isRead(symbol);
    return [];
  };
  return {
    options: {
      ...nodeContext({ config, catalogue, store, access, now, log }),
      ...access,
      market: new MarketView(CATALOGUE),
      kept: new LocalDocuments(SESSION_KEPT_MS, now),
      documents: { news: store.news, calendar: store.calendar, hiddenNews: null, hiddenCalendar: null },
      signals: store.signals,
      bars: {
        async bars(range) {
          isRead(range.symbol);
          return barsOf(range);
        },
        watched: async () => [],
        fetched: async () => [],
      },
      store: {
        tapeOf: noTicks,
        firstTapeOf: noTicks,
        tapeDays: async () => [],
        histograms: async () => [],
        firstTradeBar: async () => undefined,
      },
      simulated: false,
      alwaysOpen: false,
      venueSymbols: catalogue.venueSymbols,
      tapeDays: config.tape_days,
      rows: new RowAllowance(),
      tiers: config.tiers,
      requireConfirmed: async () => {},
      countsWith: newCounts({ limits: config, now }),
      limits: config,
    },
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
