// The words of the setting `feeds`: kinds of feeds, names of venues, and `live` for a chosen set of venues.

/** Words that are not venues. The names of venues are those of market/feeds/venues/registry.ts. */
export const PLAIN_FEEDS: readonly string[] = ['sim', 'push', 'oanda'];
export const LIVE = 'live';

/** Symbols of a venue: instrument → the venue's own spelling. */
type VenueSymbols = Readonly<Record<string, string>>;

/**
 * What `live` stands for: public venues that need no account. If several venues offer an instrument, the first one delivers it, and
 * the others take over while it is down.
 */
export const LIVE_MARKETS: Readonly<Record<string, VenueSymbols>> = {
  kraken: {
    BTCUSD: 'BTC/USD',
    ETHUSD: 'ETH/USD',
    SOLUSD: 'SOL/USD',
    XRPUSD: 'XRP/USD',
    ADAUSD: 'ADA/USD',
    DOGEUSD: 'DOGE/USD',
    LTCUSD: 'LTC/USD',
    EURUSD: 'EUR/USD',
    GBPUSD: 'GBP/USD',
    USDJPY: 'USD/JPY',
    USDCAD: 'USD/CAD',
    AUDUSD: 'AUD/USD',
    USDCHF: 'USD/CHF',
  },
  hyperliquid: {
    'GOLDUSDC.P': 'xyz:GOLD',
    'SILVERUSDC.P': 'xyz:SILVER',
    'CLUSDC.P': 'xyz:CL',
    'SP500USDC.P': 'xyz:SP500',
    'XYZ100USDC.P': 'xyz:XYZ100',
    'JP225USDC.P': 'xyz:JP225',
    'EURUSDC.P': 'xyz:EUR',
    'JPYUSDC.P': 'xyz:JPY',
    'BTCUSDC.P': 'BTC',
  },
  binanceusdm: {
    'XAUUSDT.P': 'XAUUSDT',
    'XAGUSDT.P': 'XAGUSDT',
    'BTCUSDT.P': 'BTCUSDT',
    'ETHUSDT.P': 'ETHUSDT',
  },
  bybit: {
    BTCUSDT: 'BTCUSDT',
    ETHUSDT: 'ETHUSDT',
    'BTCUSDT.P': 'BTCUSDT.P',
    'ETHUSDT.P': 'ETHUSDT.P',
  },
  okx: {
    BTCUSDT: 'BTC-USDT',
    ETHUSDT: 'ETH-USDT',
    'BTCUSDT.P': 'BTC-USDT-SWAP',
    'ETHUSDT.P': 'ETH-USDT-SWAP',
  },
};

/** Venues may have the prefix `crypto:`, as in crypto:binance,kraken,push. */
export const readFeeds = (given: readonly string[]): string[] => given.map((word) => word.replace(/^crypto:/, ''));

export function areFeeds(feeds: readonly string[]): boolean {
  const mixed = feeds.includes('sim') && feeds.length > 1;
  return feeds.every((feed) => /^[a-z0-9]+$/.test(feed)) && !mixed && new Set(feeds).size === feeds.length;
}

/** The venues that a configuration describes by addresses or symbols of its own. */
interface VenueSettings {
  readonly [venue: string]: { readonly symbols?: VenueSymbols | undefined };
}

/** Writes out `live`: its venues in its place, with its symbols unless the configuration has others. */
export function withLiveMarkets<V extends VenueSettings>(
  feeds: readonly string[],
  venues: V,
): { feeds: string[]; venues: V } {
  if (!feeds.includes(LIVE)) return { feeds: [...feeds], venues };
  const chosen = Object.entries(LIVE_MARKETS).map(([name, symbols]) => [name, { symbols, ...venues[name] }]);
  return {
    feeds: [...new Set(feeds.flatMap((feed) => (feed === LIVE ? Object.keys(LIVE_MARKETS) : [feed])))],
    venues: { ...venues, ...Object.fromEntries(chosen) },
  };
}
