// OANDA v20: quotes of currencies, metals, indices and energy over the chunked pricing stream, and minutes of bids for
// what was missed. There are no trades here, and no tick can be had twice.
// Limits (developer.oanda.com, best practices): 2 new connections and 100 requests a second, 20 streams an account.
import type { Bar, EpochMs, InstrumentSpec, MarketSymbol, QuoteEvent } from '@tickwire/engine';
import type { Source, SourceSink } from '../source.ts';
import { complaint, type Mapper, type VenueEvent } from '../venues/venue.ts';
import { getJson, isWorld, type OandaAccess, OandaError, type OandaTiming } from './api.ts';
import { oandaMinutes } from './candles.ts';
import { oandaMapper, offeredNames } from './mapper.ts';
import { type Chosen, chooseNames, wantedNames } from './names.ts';
import { openStream } from './stream.ts';

/** Heartbeats come every five seconds: three of them are missing. */
const SILENCE_MS = 16_000;
const TIMING: OandaTiming = { answerMs: 10_000, silenceMs: SILENCE_MS, retryMs: 1_000 };

export interface OandaOptions extends OandaAccess {
  /** Those that OANDA cannot have under any name are left out of the source's symbols. */
  readonly instruments: readonly InstrumentSpec[];
  /** Our symbol → OANDA's name, where the usual one does not serve: `{ GER40: 'DE30_EUR' }`. */
  readonly names?: Readonly<Record<string, string>>;
  readonly now?: () => number;
  readonly timing?: Partial<OandaTiming>;
}

export function createOandaSource(options: OandaOptions): Source & Required<Pick<Source, 'minutes'>> {
  const { account, instruments, names: overrides, now = Date.now } = options;
  if (!isWorld(options.host) && !/^https?:\/\//.test(options.host)) {
    throw new OandaError(`the host is practice, live or a URL, not ${options.host}`, null);
  }
  const timing = { ...TIMING, ...options.timing };
  const wanted = wantedNames(instruments, overrides);
  const fresh = withoutRepeats();
  let known: Chosen | null = null;

  const choose = async (): Promise<Chosen> => {
    const path = `/v3/accounts/${encodeURIComponent(account)}/instruments`;
    // Whoever connects has a patience of his own.
    const offered = offeredNames(await getJson(options, path, timing, 1));
    if (!offered) throw new OandaError('an account without a list of instruments', null);
    known = chooseNames(wanted, offered);
    if (known.names.size === 0) throw new OandaError(`the account has none of ${[...wanted.keys()].join(', ')}`, null);
    return known;
  };

  return {
    name: 'oanda',
    symbols: [...wanted.keys()],
    staleMs: timing.silenceMs,
    async connect(sink: SourceSink) {
      const { names, missing } = await choose();
      for (const symbol of missing) sink.complain(complaint('not offered to this account', symbol));
      const map = fresh(oandaMapper(names));
      return openStream({ access: options, names: [...names.keys()], map, sink, timing });
    },
    async minutes(symbol: MarketSymbol, from: EpochMs, to: EpochMs): Promise<readonly Bar[]> {
      const { names } = known ?? (await choose());
      const name = [...names].find(([, ours]) => ours === symbol)?.[0];
      if (name === undefined) throw new OandaError(`the account has no ${symbol}`, null);
      return oandaMinutes(options, name, { from, to, now: now() }, timing);
    },
  };
}

/**
 * The snapshot at the beginning of every stream repeats the price in force, which may have come before. Quotes have no
 * numbers, but two of one instrument are 250 ms apart: what equals the last one in everything is the last one.
 */
function withoutRepeats(): (map: Mapper) => Mapper {
  const last = new Map<MarketSymbol, QuoteEvent>();
  const isNew = (event: VenueEvent): boolean => {
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
