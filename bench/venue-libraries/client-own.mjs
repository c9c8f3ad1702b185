// The connectors of this repository in a minimal loop (Bun only, the runtime of the service).
import { VENUES } from '../../packages/server/src/market/feeds/venues/registry.ts';
import { createVenueConnector } from '../../packages/server/src/market/feeds/venues/venue-connector.ts';
import { ReferenceLoop } from '../../packages/server/testing/feeds/reference-loop.fixture.ts';
import { report, settings } from './report.mjs';

const { exchange, wsUrl, restUrl, symbol, staleMs } = settings;
const connector = createVenueConnector(VENUES[exchange], {
  symbols: new Map([[symbol, 'X']]),
  wsUrl,
  restUrl,
  timing: { restIntervalMs: 0, restRetryMs: 20 },
});
class Reporting extends ReferenceLoop {
  closings = new Proxy([], {
    set(list, key, reason) {
      if (key !== 'length') report.declare(reason);
      return Reflect.set(list, key, reason);
    },
  });
}
const loop = new Reporting(connector, staleMs);
const known = loop.trades.get('X');
const { set } = known;
known.set = function (id, trade) {
  report.trade(id);
  return set.call(this, id, trade);
};
