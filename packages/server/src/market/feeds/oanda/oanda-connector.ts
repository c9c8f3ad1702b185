// OANDA v20: quotes of currencies, metals, indices and energy from the pricing stream, and one-minute bars of bids to fill
// in what was missed. There are no trades, and past ticks cannot be fetched.
// Limits (developer.oanda.com, best practices): 2 new connections and 100 requests per second, 20 streams per account.
import type { EpochMs, InstrumentSpec, MarketSymbol, PriceEvent, QuoteEvent } from '@tickwire/engine';
import type { ConnectorSink, SourcePrecision, VenueConnector } from '../connector.ts';
import { complaint, type Mapper } from '../mapper.ts';
import { fetchOandaMinutes } from './candles.ts';
import { type AccountNames, candidateNames, chooseNames } from './instrument-names.ts';
import { oandaMapper, offeredInstruments } from './mapper.ts';
import { getOandaJson, isEnvironment, type OandaAccess, OandaError, type OandaTiming } from './oanda-client.ts';
import { openPricingStream } from './pricing-stream.ts';

/** Heartbeats arrive every five seconds, so three of them are missing after 16. */
const TIMING: OandaTiming = { responseTimeoutMs: 10_000, staleMs: 16_000, retryMs: 1_000 };

export interface OandaOptions extends OandaAccess {
  /** Those that OANDA does not offer are left out of the connector's symbols. */
  readonly instruments: readonly InstrumentSpec[];
  /** Our symbol → OANDA's name, if the default does not apply: `{ GER40: 'DE30_EUR' }`. */
  readonly names?: Readonly<Record<string, string>>;
  readonly now?: () => number;
  /** Set only by tests. */
  readonly timing?: Partial<OandaTiming>;
}

export function createOandaConnector(
  options: OandaOptions,
): VenueConnector & Required<Pick<VenueConnector, 'fetchMinutes'>> {
  const { account, host, instruments, names: overrides, now = Date.now } = options;
  if (!isEnvironment(host) && !/^https?:\/\//.test(host)) {
    throw new OandaError(`the host must be practice, live or a URL, not ${host}`);
  }
  const timing = { ...TIMING, ...options.timing };
  const candidates = candidateNames(instruments, overrides);
  const deduplicate = createDeduplicator();
  let accountNames: AccountNames | null = null;

  const loadOffered = async () => {
    const path = `/v3/accounts/${encodeURIComponent(account)}/instruments`;
    // One attempt: the supervisor retries the whole connection.
    const offered = offeredInstruments(await getOandaJson(options, path, timing, 1));
    if (!offered) throw new OandaError('the account has no list of instruments');
    return offered;
  };

  const loadNames = async (): Promise<AccountNames> => {
    accountNames = chooseNames(candidates, await loadOffered());
    if (accountNames.names.size === 0)
      throw new OandaError(`the account offers none of ${[...candidates.keys()].join(', ')}`);
    return accountNames;
  };

  return {
    name: 'oanda',
    title: 'OANDA',
    symbols: [...candidates.keys()],
    staleMs: timing.staleMs,
    async connect(sink: ConnectorSink) {
      const { names, missing } = await loadNames();
      for (const symbol of missing) {
        sink.complain(complaint('not offered to this account', symbol));
        sink.refused?.(symbol, 'not offered');
      }
      const map = deduplicate(oandaMapper(names));
      return openPricingStream({ access: options, names: [...names.keys()], map, sink, timing });
    },
    async fetchPrecision() {
      const offered = await loadOffered();
      const precision = new Map<MarketSymbol, SourcePrecision>();
      for (const [name, symbol] of chooseNames(candidates, offered).names) {
        const said = offered.get(name);
        if (said) precision.set(symbol, said);
      }
      return precision;
    },
    async fetchMinutes(symbol: MarketSymbol, from: EpochMs, to: EpochMs) {
      const { names } = accountNames ?? (await loadNames());
      const name = [...names].find(([, ours]) => ours === symbol)?.[0];
      if (name === undefined) throw new OandaError(`the account does not offer ${symbol}`);
      return fetchOandaMinutes(options, name, { from, to, now: now() }, timing);
    },
  };
}

/**
 * The snapshot at the start of every stream repeats the current price, which may have been sent before. Quotes have no
 * ids, but two quotes of an instrument are 250 ms apart: one that equals the last in every field is the last.
 */
function createDeduplicator(): (map: Mapper) => Mapper {
  const last = new Map<MarketSymbol, QuoteEvent>();
  const isNew = (event: PriceEvent): boolean => {
    if (event.kind !== 'quote') return true;
    const before = last.get(event.symbol);
    last.set(event.symbol, event);
    return !before || !isSame(before, event);
  };
  return (map) => (text, receivedAt) => {
    const mapped = map(text, receivedAt);
    return mapped.events.every(isNew) ? mapped : { ...mapped, events: [] };
  };
}

const isSame = (a: QuoteEvent, b: QuoteEvent): boolean =>
  a.time === b.time && a.bid === b.bid && a.ask === b.ask && a.bidSize === b.bidSize && a.askSize === b.askSize;
