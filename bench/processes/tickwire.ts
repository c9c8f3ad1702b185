// The service under test: the real `tickwire serve`, configured so that allowances are not the limit.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueKey } from '../../packages/server/src/access/issue-key.ts';
import { openSqliteAccessStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts';
import type { Children, ServerChild } from './children.ts';

export const MAIN = join(import.meta.dir, '../../packages/server/src/cli/main.ts');
/** Requests per minute of each account: far above normal use, far below the total of all accounts. */
export const BENCH_LIMIT = 10_000;
/** One address opens all connections of a run, so its limits must not apply. */
export const NO_LIMITS = {
  TICKWIRE_MAX_CONNECTIONS: '100000',
  TICKWIRE_MAX_CONNECTIONS_PER_ADDRESS: '100000',
  TICKWIRE_ANONYMOUS_REQUESTS_PER_MINUTE: '1000000',
  TICKWIRE_MESSAGES_PER_SECOND: '1000',
};
/** Scoring headlines takes time that the peers do not spend: they have no news. */
export const NO_NEWS = { TICKWIRE_NEWS: 'none', TICKWIRE_CALENDAR: 'none' };
/** Every run has the same prices, and the peers replay a recording of them. */
export const SAME_PRICES = { TICKWIRE_SIM_SEED: '1' };
export const BENCH_TIER = {
  requests_per_minute: BENCH_LIMIT,
  streams: 100_000,
  ai_calls_per_day: 0,
  signals_per_day: 1_000_000,
  active_signals_per_symbol: 100_000,
};

export interface TickwireOptions {
  readonly folder: string;
  readonly simRate?: number;
  /** Further settings. */
  readonly config?: object;
  /** Symbols of coins that the catalogue may lack. */
  readonly instruments?: readonly string[];
  /** Flags of Bun, such as a preload. */
  readonly bunFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Creates accounts of a tier with one key each, like `tickwire keys create`. */
export async function makeKeys(
  folder: string,
  count: number,
  scopes: readonly string[] = ['read'],
  tier = 'bench',
): Promise<string[]> {
  const { access, close } = openSqliteAccessStore(folder);
  const keys: string[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const now = Date.now();
      const account = await access.createAccount(`${tier} ${index}`, tier, now);
      const by = { store: access, actor: 'bench', now };
      keys.push((await issueKey(by, { name: 'bench', scopes, expiresAt: null, account })).key);
    }
  } finally {
    close();
  }
  return keys;
}

/** An entry of the file of instruments. */
const coin = (symbol: string) => ({
  ...{ symbol, name: symbol, type: 'crypto', pip_size: 0.01, digits: 2, contract_size: 1, margin_rate: 0.5 },
  ...{ min_lot: 0.0001, max_lot: 1_000 },
});

export function startTickwire(
  children: Children,
  pin: readonly string[],
  { folder, simRate, config: settings, instruments = [], bunFlags = [], env = {} }: TickwireOptions,
): Promise<ServerChild> {
  const config = join(folder, 'bench.json');
  writeFileSync(config, JSON.stringify({ tiers: { bench: BENCH_TIER }, ...settings }));
  if (instruments.length > 0)
    writeFileSync(join(folder, 'instruments.json'), JSON.stringify({ instruments: instruments.map(coin) }));
  const rate = simRate === undefined ? [] : ['--sim-rate', String(simRate)];
  const flags = [
    '--config',
    config,
    '--data',
    folder,
    '--port',
    '0',
    '--metrics-port',
    'off',
    '--log',
    'warn',
    ...rate,
  ];
  return children.server([...pin, process.execPath, ...bunFlags, MAIN, 'serve', ...flags], {
    ...NO_LIMITS,
    ...SAME_PRICES,
    ...env,
  });
}
