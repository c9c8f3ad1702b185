// Checks of `tickwire instruments`: against stored data, active signals and the configured feeds.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { iso } from '@tickwire/contract';
import { fitsDigits, type InstrumentSpec, type MarketSymbol } from '@tickwire/engine';
import { type Config, ConfigError } from '../config/config.ts';
import type { SourcePrecision } from '../market/feeds/connector.ts';
import { createConnectors } from '../market/feeds/open-feeds.ts';
import type { ServiceConfig } from '../market/feeds/venues/configured-venues.ts';
import { loadInstruments } from '../market/instruments.ts';
import { activeSignalDigits, findFinerPrice } from '../signals/stored-digits.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

/** The file of instruments applies to both. */
const REALMS = ['sim', 'live'] as const;

/** Visits the stores that exist. */
async function eachStore(config: Config, visit: (store: Store, realm: string) => Promise<void>): Promise<void> {
  for (const realm of REALMS) {
    if (config.database_url === null && !existsSync(join(config.data, realm, 'market.db'))) continue;
    await using store = await openStore(config, { role: 'command', realm });
    await visit(store, realm);
  }
}

/** Throws if stored data does not allow these digits. */
export async function refuseUnsafeDigits(config: Config, symbol: MarketSymbol, digits: number): Promise<void> {
  await eachStore(config, async (store, realm) => {
    const problem = (await signalProblem(store, symbol, digits)) ?? (await priceProblem(store, symbol, digits));
    if (problem !== null) throw new ConfigError(`${symbol} cannot have ${digits} digits (${realm} store): ${problem}`);
  });
}

async function signalProblem(store: Store, symbol: MarketSymbol, digits: number): Promise<string | null> {
  const other = [...(await activeSignalDigits(store, symbol))].find(([published]) => published !== digits);
  if (!other) return null;
  const [published, count] = other;
  return `${count} active signal${count === 1 ? ' was' : 's were'} published with ${published} digits and can only be judged with them; wait until they have closed, or close or void them`;
}

async function priceProblem(store: Store, symbol: MarketSymbol, digits: number): Promise<string | null> {
  const finer = await findFinerPrice(store, symbol, digits);
  if (!finer) return null;
  return `a stored price has more decimals, ${finer.price} at ${iso(finer.time)}; it would not be rounded, so bars, signals and new prices would not fit each other`;
}

interface Finding {
  readonly symbol: string;
  readonly state: 'ok' | 'note' | 'FAIL';
  readonly what: string;
}

export interface CheckOptions {
  readonly json: boolean;
  /** Sets the digits of an instrument; `null` to only report. */
  readonly apply: ((symbol: MarketSymbol, digits: number) => Promise<void>) | null;
}

/** Returns the exit status. */
export async function checkInstruments(
  config: ServiceConfig,
  specs: readonly InstrumentSpec[],
  { json, apply }: CheckOptions,
): Promise<number> {
  const findings: Finding[] = specs.flatMap(checkSpec);
  await eachStore(config, async (store, realm) => {
    for (const { symbol, digits } of specs) {
      const problems = [await signalProblem(store, symbol, digits), await priceProblem(store, symbol, digits)];
      for (const problem of problems)
        if (problem !== null) findings.push({ symbol, state: 'FAIL', what: `${realm} store: ${problem}` });
    }
  });
  for (const { feed, precision, error } of await askFeeds(config)) {
    if (error !== null) findings.push({ symbol: '-', state: 'FAIL', what: `${feed} did not answer: ${error}` });
    for (const spec of specs) {
      const said = precision.get(spec.symbol);
      if (!said) continue;
      const finding = compare(feed, spec, said);
      if (finding.state === 'FAIL' && apply) await apply(spec.symbol, said.digits);
      findings.push(
        finding.state === 'FAIL' && apply ? { ...finding, state: 'note', what: `${finding.what}: applied` } : finding,
      );
    }
  }
  for (const { symbol, state, what } of findings)
    process.stdout.write(
      json ? `${JSON.stringify({ symbol, state, what })}\n` : `${state.padEnd(4)}  ${symbol.padEnd(10)} ${what}\n`,
    );
  const failed = findings.filter(({ state }) => state === 'FAIL').length;
  if (!json) process.stdout.write(`${specs.length} checked; problems: ${failed}.\n`);
  return failed > 0 ? 1 : 0;
}

/** Terms that contradict each other. */
function checkSpec({ symbol, digits, pipSize }: InstrumentSpec): Finding[] {
  return fitsDigits(pipSize, digits)
    ? []
    : [{ symbol, state: 'FAIL', what: `a pip of ${pipSize} is finer than a price of ${digits} digits` }];
}

function compare(feed: string, { symbol, digits, pipSize }: InstrumentSpec, said: SourcePrecision): Finding {
  if (said.digits > digits)
    return {
      symbol,
      state: 'FAIL',
      what: `prices of ${feed} have ${said.digits} digits, and those beyond ${digits} are refused`,
    };
  if (said.pipSize !== undefined && said.pipSize !== pipSize)
    return { symbol, state: 'note', what: `a pip is ${pipSize}; ${feed} calls ${said.pipSize} a pip` };
  return { symbol, state: 'ok', what: `${feed}: ${said.digits} digits` };
}

async function askFeeds(config: ServiceConfig) {
  const connectors = config.realm === 'sim' ? [] : createConnectors(config, loadInstruments(config), Date.now);
  return Promise.all(
    connectors.map(async ({ name, fetchPrecision }) => {
      const none: ReadonlyMap<MarketSymbol, SourcePrecision> = new Map();
      try {
        return { feed: name, precision: (await fetchPrecision?.()) ?? none, error: null };
      } catch (error) {
        return { feed: name, precision: none, error: (error as Error).message };
      }
    }),
  );
}
