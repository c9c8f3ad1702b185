// tardis-dev, pointed at the fake exchange by its environment variable (WSS_URL_<EXCHANGE>), with all of its error reporting
// enabled.
import { normalizeTrades, streamNormalized } from 'tardis-dev';
import { report, settings } from './report.mjs';

const { exchange, wsUrl, symbol, staleMs, pauseMs } = settings;
let count = 0;
process.env[`WSS_URL_${exchange.toUpperCase()}`] =
  exchange === 'binance' ? `${wsUrl}/stream?timeUnit=microsecond` : wsUrl;

const messages = streamNormalized(
  {
    exchange,
    symbols: [exchange === 'binance' ? symbol.toLowerCase() : symbol],
    withDisconnectMessages: true,
    timeoutIntervalMS: staleMs,
    onError: (error) => report.declare(`error ${error.message}`),
  },
  normalizeTrades,
);
for await (const message of messages) {
  if (message.type === 'trade') report.trade(Number(message.id));
  else report.declare(message.type);
  if (pauseMs && ++count % 1_000 === 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
