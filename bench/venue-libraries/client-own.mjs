// The connectors of this repository under the smallest loop that uses them (Bun only: the service's runtime).
import { ReferenceLoop } from '../../packages/server/src/feeds/venues/reference-loop.fixture.ts';
import { VENUES } from '../../packages/server/src/feeds/venues/registry.ts';
import { report, settings } from './report.mjs';

const { exchange, wsUrl, restUrl, symbol, staleMs } = settings;
const source = VENUES[exchange].create({
  symbols: new Map([[symbol, 'X']]),
  wsUrl,
  restUrl,
  timing: { restPaceMs: 0, restRetryMs: 20 },
});
class Reporting extends ReferenceLoop {
  closings = new Proxy([], {
    set(list, key, reason) {
      if (key !== 'length') report.declare(reason);
      return Reflect.set(list, key, reason);
    },
  });
}
const loop = new Reporting(source, staleMs);
const known = loop.trades.get('X');
const { set } = known;
known.set = function (id, trade) {
  report.trade(id);
  return set.call(this, id, trade);
};
