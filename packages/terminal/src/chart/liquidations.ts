// Liquidations in the chart of a perpetual: the part is loaded with the first one.
import { isPerpetual } from '../services/is-perpetual.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';

export function newLiquidations(host: ChartHost): ChartPart {
  let part: ChartPart | null = null;
  return {
    async open(market) {
      if (!part && isPerpetual(market.instrument.symbol)) {
        try {
          const { LiquidationsPart } = await import('./lazy-parts.ts');
          if (host.signal.aborted) return;
          part ??= new LiquidationsPart(host);
        } catch (error) {
          host.services.notifier.reportError(error, 'Liquidations');
        }
      }
      part?.open?.(host.market() ?? market);
    },
    figures: (series, at) => part?.figures?.(series, at) ?? [],
  };
}
