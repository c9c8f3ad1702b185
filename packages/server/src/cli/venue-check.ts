// Checks of `tickwire doctor` on venues: tries each configured one once, for a limited time.
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { Config } from '../config/config.ts';
import type { Refusal, VenueConnector } from '../market/feeds/connector.ts';
import { type FeedFailure, failureOf } from '../market/feeds/failure.ts';
import { FeedProblems, type VenueStatus } from '../market/feeds/feed-problems.ts';
import { createConnectors } from '../market/feeds/open-feeds.ts';

/** For the stream, and again for a request of REST. */
const LIMIT_MS = 10_000;

type Found = (part: string, state: 'ok' | 'warn' | 'fail', what: string) => void;

interface Tried extends VenueStatus {
  /** Why REST does not work: without it, there are live prices, but no history. */
  readonly restFailure: FeedFailure | null;
}

export async function checkVenues(
  config: Config,
  instruments: readonly InstrumentSpec[],
  found: Found,
  limitMs = LIMIT_MS,
): Promise<void> {
  const connectors = createConnectors(config, instruments, Date.now, { restAttempts: 1 });
  const venues = await Promise.all(connectors.map((connector) => tryVenue(connector, limitMs)));
  const candidates = (symbol: MarketSymbol): string[] =>
    venues.flatMap(({ name, symbols }) => (symbols.includes(symbol) ? name : []));
  const owner = (symbol: MarketSymbol): string | undefined => {
    const able = venues.find(({ state, symbols, refused }) => {
      return state === 'live' && symbols.includes(symbol) && !refused?.has(symbol);
    });
    return able?.name ?? candidates(symbol)[0];
  };
  const problems = new FeedProblems(() => venues, { candidates, owner }, config.feeds.includes('push'));
  for (const { name, title, symbols, restFailure } of venues) {
    const part = `feed ${name}`;
    const problem = problems.byFeed.get(name);
    if (problem !== undefined) found(part, 'warn', problem);
    else found(part, 'ok', `${title} streams ${symbols.length} ${symbols.length === 1 ? 'instrument' : 'instruments'}`);
    if (problem === undefined && restFailure)
      found(part, 'warn', `${title} streams, but its REST interface, which has the history, ${restFailure.text}.`);
  }
  if (problems.nothingReachable) found('feeds', 'fail', problems.nothingReachable);
}

async function tryVenue(connector: VenueConnector, limitMs: number): Promise<Tried> {
  const { name, title, symbols } = connector;
  const refused = new Map<MarketSymbol, Refusal>();
  const sink = {
    events: () => undefined,
    alive: () => undefined,
    complain: () => undefined,
    refused: (symbol: MarketSymbol, why: Refusal) => void refused.set(symbol, why),
  };
  const status = { name, title, symbols, refused };
  const connecting = connector.connect(sink);
  try {
    const connection = await limited(connecting, limitMs + (connector.subscribeMs?.() ?? 0));
    // The lists of the venue, which also show what it does not offer.
    const restFailure = await limited(Promise.resolve(connector.fetchPrecision?.()), limitMs).then(
      () => null,
      (error: unknown) => failureOf(error, name),
    );
    connection.close();
    return { ...status, state: 'live', failure: null, restFailure };
  } catch (error) {
    connecting.then((late) => late.close()).catch(() => undefined);
    return { ...status, state: 'waiting', failure: failureOf(error, name), restFailure: null };
  }
}

async function limited<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
