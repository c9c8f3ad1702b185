// Order flow in the chart: delta, footprints and the volume profile. One button opens their settings. Footprints, profiles and
// the settings are loaded when they are first used.
import type { OrderFlowTick } from '@tickwire/client';
import { makeButton } from '../../ui/dom/elements.ts';
import type { Changes, ChartBars } from '../bars/chart-bars.ts';
import type { ChartHost, ChartMarket, ChartPart, ChartPoint, LegendFigure, MenuItem } from '../frame/chart-part.ts';
import { DeltaPart } from './delta-part.ts';
import { type FlowChoices, FlowSettings } from './flow-choices.ts';
import type { FlowPart } from './flow-part.ts';
import { barStartAt } from './profile-range.ts';

const NO_TRADES = 'No order flow: the source of this instrument has no trades, only quotes.';

type LazyParts = typeof import('../lazy-parts.ts');

export class OrderFlowPart implements ChartPart {
  readonly #host: ChartHost;
  readonly #settings: FlowSettings;
  readonly #delta: DeltaPart;
  readonly #button: HTMLButtonElement;
  readonly #notes = new Map<string, string>();
  #noted = '';
  #lazyParts: readonly FlowPart[] = [];
  #profile: InstanceType<LazyParts['ProfilePart']> | null = null;
  #loading: Promise<LazyParts> | null = null;

  constructor(host: ChartHost) {
    this.#host = host;
    this.#settings = new FlowSettings(localStorage, () => this.#apply());
    this.#delta = new DeltaPart(host, this.#settings);
    const title = 'Delta, footprints and volume profile';
    const attributes = { class: 'timeframe chart-choice', title, 'aria-haspopup': 'dialog', 'aria-expanded': 'false' };
    this.#button = makeButton('Order flow', attributes, () => void this.#openSettings());
    host.addTool(this.#button);
    if (needsLazyParts(this.#settings.choices)) void this.#load();
  }

  open(market: ChartMarket): void {
    this.#notes.clear();
    this.#noted = '';
    for (const part of this.#parts) part.open?.(market);
  }

  draw(series: ChartBars, changes: Changes): void {
    for (const part of this.#parts) part.draw?.(series, changes);
    const { delta, footprint, profile } = this.#settings.choices;
    const wanted = delta || footprint || profile !== 'off';
    this.#note('trades', wanted && !this.#host.traded && series.candles.length > 0 ? NO_TRADES : '');
  }

  orderFlow(tick: OrderFlowTick): void {
    this.#delta.orderFlow(tick);
  }

  figures(series: ChartBars, at: number): readonly LegendFigure[] {
    return this.#parts.flatMap((part) => part.figures?.(series, at) ?? []);
  }

  menu(point: ChartPoint): readonly MenuItem[] {
    const [symbol, time] = [this.#host.market()?.instrument.symbol, barStartAt(this.#host.bars(), point.time)];
    if (symbol === undefined || time === null || !this.#host.traded) return [];
    const { choices } = this.#settings;
    const range = choices.profile === 'fixed' ? choices.fixedRanges[symbol] : undefined;
    return [
      { text: 'Start the cumulative delta here', run: () => this.#settings.startSumAt(symbol, time) },
      { text: 'Volume profile from here', run: () => this.#settings.setRange(symbol, { from: time, to: null }) },
      ...(range && time > range.from
        ? [{ text: 'End the volume profile here', run: () => this.#settings.setRange(symbol, { ...range, to: time }) }]
        : []),
    ];
  }

  press(point: ChartPoint, event: MouseEvent | TouchEvent): boolean {
    return this.#lazyParts.some((part) => part.press?.(point, event));
  }

  applyTheme(): void {
    for (const part of this.#parts) part.applyTheme?.();
  }

  get #parts(): readonly ChartPart[] {
    return [this.#delta, ...this.#lazyParts];
  }

  #apply(): void {
    if (needsLazyParts(this.#settings.choices)) void this.#load();
    for (const part of this.#lazyParts) part.apply();
    this.#host.redraw();
  }

  #note(of: string, text: string): void {
    this.#notes.set(of, text);
    const all = [...this.#notes.values()].filter((each) => each !== '').join(' ');
    if (all === this.#noted) return;
    this.#noted = all;
    this.#host.note(all);
  }

  #load(): Promise<LazyParts> {
    this.#loading ??= this.#loadNow().catch((error: unknown) => {
      // The next attempt may succeed.
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  async #loadNow(): Promise<LazyParts> {
    const parts = await import('../lazy-parts.ts');
    if (this.#host.signal.aborted) return parts;
    const context = { host: this.#host, settings: this.#settings, note: this.#note.bind(this) };
    this.#profile = new parts.ProfilePart(context);
    this.#lazyParts = [new parts.FootprintPart(context), this.#profile];
    const market = this.#host.market();
    for (const part of this.#lazyParts) {
      if (market) part.open?.(market);
      part.apply();
    }
    this.#host.redraw();
    return parts;
  }

  async #openSettings(): Promise<void> {
    const { openFlowSettings } = await this.#load();
    if (this.#host.signal.aborted) return;
    openFlowSettings(this.#button, {
      settings: this.#settings,
      market: this.#host.market(),
      intervalMs: this.#host.bars()?.intervalMs ?? 0,
      unavailable: this.#host.bars() !== null && !this.#host.traded ? NO_TRADES : '',
      summary: this.#profile?.summary() ?? '',
      pickRange: () => this.#profile?.pick(),
    });
  }
}

const needsLazyParts = ({ footprint, profile }: FlowChoices): boolean => footprint || profile !== 'off';
