// Handlers of the endpoints of volume at price.
import type { FootprintPage, FootprintQuery, ProfileQuery } from '@tickwire/contract';
import type { InstrumentSpec } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { generatedHistogram } from '../market/feeds/sim/generated-histogram.ts';
import type { MarketView } from '../market/market-view.ts';
import type { MarketStore } from '../store/store.ts';
import { barPageOf, nextCursor } from './chart-history.ts';
import { footprintsOf } from './footprints.ts';
import type { VolumeSources } from './recorded-volume.ts';
import { pageText } from './tables/json-items.ts';
import { profileOf } from './volume-profile.ts';

export interface VolumeHandlerSources {
  readonly market: MarketView;
  readonly history: Pick<MarketStore, 'bars'>;
  readonly volumes: Pick<MarketStore, 'histograms' | 'firstTradeBar'>;
  readonly simulated: boolean;
}

export class VolumeHandlers {
  readonly #sources: VolumeSources;
  readonly #firstTradeBar: MarketStore['firstTradeBar'];

  constructor({ market, history, volumes, simulated }: VolumeHandlerSources) {
    const bars: MarketStore['bars'] = (range) => history.bars(range);
    const histograms: MarketStore['histograms'] = (...range) => volumes.histograms(...range);
    this.#sources = { store: { bars, histograms }, view: market, generate: simulated ? generatedHistogram : null };
    this.#firstTradeBar = (symbol) => volumes.firstTradeBar(symbol);
  }

  /** `now`: market time in epoch milliseconds. */
  profile(spec: InstrumentSpec, query: ProfileQuery, now: number): Promise<string> {
    return withStoreErrors(async () => {
      const profile = await profileOf(this.#sources, spec, query, now);
      if (profile.volume === 0 && profile.uncovered_volume === 0) await this.#requireTrades(spec);
      return JSON.stringify(profile);
    });
  }

  /** The response as JSON, and the number of its bars. */
  footprints(spec: InstrumentSpec, query: FootprintQuery): Promise<{ readonly body: string; readonly bars: number }> {
    return withStoreErrors(async () => {
      const asked = barPageOf(query);
      const { page, bars, chart, hasMore } = await footprintsOf(this.#sources, spec, query, asked);
      if (page.items.every(({ volume, uncovered_volume }) => volume + uncovered_volume === 0))
        await this.#requireTrades(spec);
      const next = hasMore && bars.length > 0 ? nextCursor(chart, asked, bars) : null;
      const response: FootprintPage = { ...page, next };
      return { body: await pageText(response), bars: response.items.length };
    });
  }

  /** An instrument that never traded has quotes only: that is not the same as a quiet market. */
  async #requireTrades({ symbol }: InstrumentSpec): Promise<void> {
    if (this.#sources.view.flow(symbol) || (await this.#firstTradeBar(symbol)) !== undefined) return;
    throw new ServiceError('no_trades', `The feed of ${symbol} delivers quotes only, without trades.`);
  }
}
