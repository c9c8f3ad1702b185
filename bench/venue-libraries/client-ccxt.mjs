// ccxt pro, pointed at the fake exchange by its URL table. The loop is that of its manual: watchTrades repeatedly, also after an
// error. `limit` is its cache of trades. It detects missing pongs, but not silence.
import ccxt from 'ccxt';
import { report, settings } from './report.mjs';

const { exchange, wsUrl, restUrl, symbol, limit, pauseMs } = settings;
const Exchange = exchange === 'binance' ? ccxt.pro.binance : ccxt.pro.coinbaseexchange;
const client = new Exchange({
  enableRateLimit: false,
  options: {
    tradesLimit: limit,
    fetchMarkets: { types: ['spot'] },
    fetchCurrencies: false,
    defaultType: 'spot',
  },
});
if (exchange === 'binance') {
  client.urls.api.public = `${restUrl}/api/v3`;
  client.urls.api.ws.spot = `${wsUrl}/ws`;
} else {
  client.urls.api.public = restUrl;
  client.urls.api.ws = wsUrl;
  client.has.fetchCurrencies = false;
}
// Allows an address without TLS.
await client.loadHttpProxyAgent();
const market = exchange === 'binance' ? symbol.replace(/USDT$/, '/USDT') : symbol.replace('-', '/');
for (;;) {
  try {
    for (const trade of await client.watchTrades(market)) report.trade(Number(trade.id));
    if (pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  } catch (error) {
    report.declare(`${error.constructor.name} ${error.message}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
