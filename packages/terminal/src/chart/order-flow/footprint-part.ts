// Footprint candles. Switching them on zooms in until the sizes can be read.

import { price, volume } from '../../ui/format.ts';
import { coalesced } from '../../ui/frame-scheduler.ts';
import type { Changes, ChartBars } from '../bars/chart-bars.ts';
import type { ChartMarket, LegendFigure } from '../frame/chart-part.ts';
import type { FlowContext, FlowPart } from './flow-part.ts';
import { FlowTip } from './flow-tip.ts';
import { FootprintFeed } from './footprint-feed.ts';
import { FootprintLayer, modeAt, TEXT_SPACING } from './footprint-layer.ts';
import { cellInWords } from './footprint-levels.ts';
import { LegendRoom } from './legend-room.ts';

/** Distance between bars after switching on. Pixels. */
const ZOOM_SPACING = TEXT_SPACING + 14;
/** Bars that are loaded beyond the edges of the view. */
const AROUND = 3;

export class FootprintPart implements FlowPart {
  readonly #context: FlowContext;
  readonly #feed: FootprintFeed;
  readonly #layer: FootprintLayer;
  readonly #tip: FlowTip;
  #shown = false;
  #toZoom = false;
  /** Bars in view before zooming in. */
  #widthBefore: number | null = null;

  constructor(context: FlowContext) {
    this.#context = context;
    const { host } = context;
    const { client, streams, session } = host.services;
    this.#feed = new FootprintFeed({
      client,
      // An API key of the free tier has two streams, and both are in use.
      streams: session.signedIn ? streams : null,
      onChange: coalesced(() => this.#layer.redraw()),
      onError: (detail) => context.note('footprint', detail && `Footprints could not be loaded: ${detail}`),
    });
    const legend = new LegendRoom(host);
    this.#layer = new FootprintLayer({
      bars: () => host.bars(),
      footprintAt: (time) => this.#feed.at(time),
      roomAbove: () => legend.height,
    });
    this.#tip = new FlowTip(host, (at, y) => this.#textAt(at, y));
    host.chart.timeScale().subscribeVisibleLogicalRangeChange(() => this.#want());
    host.signal.addEventListener('abort', () => this.#feed.close(), { once: true });
  }

  open(_market: ChartMarket): void {
    this.#toZoom = this.#shown;
    this.#feed.close();
  }

  apply(): void {
    const { footprint } = this.#context.settings.choices;
    if (footprint === this.#shown) return;
    this.#shown = footprint;
    const { host } = this.#context;
    if (footprint) host.prices.attachPrimitive(this.#layer);
    else {
      host.prices.detachPrimitive(this.#layer);
      this.#feed.close();
      this.#tip.hide();
      this.#context.note('footprint', '');
      this.#zoomOut();
    }
    this.#toZoom = footprint;
  }

  draw(series: ChartBars, _changes: Changes): void {
    if (!this.#shown || !this.#context.host.traded || series.candles.length === 0) return;
    if (this.#toZoom) this.#zoomIn(series);
    this.#toZoom = false;
    this.#want();
  }

  figures({ candles }: ChartBars, at: number): readonly LegendFigure[] {
    const candle = candles[at];
    const footprint = candle && this.#shown ? this.#feed.at(candle.time) : undefined;
    if (!footprint || this.#layer.mode === 'candles') return [];
    const group = this.#layer.cellsOf(footprint);
    const count = (side: 'buy' | 'sell'): number =>
      group?.cells.filter(({ imbalance }) => imbalance === side).length ?? 0;
    const text = `${count('buy')} buy, ${count('sell')} sell`;
    const poc = group?.poc ? price(group.poc.price, this.#digits) : null;
    const uncovered = volume(footprint.uncovered);
    return [
      ...(poc ? [{ name: 'POC', text: poc, sign: 'none', words: `point of control ${poc}` } as const] : []),
      ...(group ? [{ name: 'Imbalances', text, sign: 'none', words: `imbalances: ${text}` } as const] : []),
      ...(footprint.uncovered > 0
        ? [
            {
              name: 'Without prices',
              text: uncovered,
              sign: 'none',
              words: `${uncovered} of the volume has no prices`,
            } as const,
          ]
        : []),
    ];
  }

  applyTheme(): void {
    this.#layer.applyTheme();
  }

  get #digits(): number {
    return this.#context.host.market()?.digits ?? 2;
  }

  #want(): void {
    const { host } = this.#context;
    const [series, market] = [host.bars(), host.market()];
    const seen = host.chart.timeScale().getVisibleLogicalRange();
    if (!this.#shown || !series || !market || !seen || !host.traded) return;
    if (modeAt(host.chart.timeScale().options().barSpacing) === 'candles') return;
    const { candles } = series;
    const [from, to] = [Math.max(0, Math.floor(seen.from) - AROUND), Math.ceil(seen.to) + AROUND + 1];
    this.#feed.open(market.instrument.symbol, market.interval);
    this.#feed.want(
      candles.slice(from, Math.max(from, to)).map(({ time }) => time),
      candles.at(-1)?.time ?? 0,
    );
  }

  #textAt(at: number, y: number): string {
    const { host } = this.#context;
    const candle = this.#shown && this.#layer.mode !== 'candles' ? host.bars()?.candles[at] : undefined;
    const group = candle && this.#layer.cellsOf(this.#feed.at(candle.time));
    const pointed = host.prices.coordinateToPrice(y);
    if (!group || pointed === null) return '';
    const cell = group.cells.find((each) => pointed >= each.price && pointed < each.price + group.step);
    if (!cell) return '';
    const words = cellInWords(cell, price(cell.price, this.#digits));
    return cell === group.poc ? `${words} Point of control: most volume of the bar.` : words;
  }

  #zoomIn({ candles }: ChartBars): void {
    const scale = this.#context.host.chart.timeScale();
    const seen = scale.getVisibleLogicalRange();
    if (!seen || modeAt(scale.options().barSpacing) === 'text' || scale.width() === 0) return;
    const width = Math.max(2, scale.width() / ZOOM_SPACING) - 1;
    this.#widthBefore = seen.to - seen.from;
    const to = Math.min(seen.to, candles.length);
    scale.setVisibleLogicalRange({ from: to - width, to });
  }

  #zoomOut(): void {
    const scale = this.#context.host.chart.timeScale();
    const seen = scale.getVisibleLogicalRange();
    const width = this.#widthBefore;
    this.#widthBefore = null;
    if (seen && width !== null) scale.setVisibleLogicalRange({ from: seen.to - width, to: seen.to });
  }
}
