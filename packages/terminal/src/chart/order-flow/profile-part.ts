// The volume profile of the visible range, the day, or a fixed range that is chosen with two clicks.

import { price, volume } from '../../ui/format.ts';
import { coalesced } from '../../ui/frame-scheduler.ts';
import type { Changes, ChartBars } from '../bars/chart-bars.ts';
import type { ChartMarket, ChartPoint } from '../frame/chart-part.ts';
import type { FlowContext, FlowPart } from './flow-part.ts';
import { LegendRoom } from './legend-room.ts';
import { ProfileFeed } from './profile-feed.ts';
import { linesOf, ProfileLayer } from './profile-layer.ts';
import { barStartAt, isTooLong, MAX_DAYS, rangeOf } from './profile-range.ts';

const TOO_LONG = `A volume profile covers up to ${MAX_DAYS} days. Zoom in or choose a shorter range.`;
const FIRST = 'Click the bar where the volume profile starts. Escape cancels.';
const SECOND = 'Click the bar where it ends. Escape cancels.';

export class ProfilePart implements FlowPart {
  readonly #context: FlowContext;
  readonly #feed: ProfileFeed;
  readonly #layer: ProfileLayer;
  #attached = false;
  /** Start of the range that is being chosen; `null` before the first click, `undefined` if none is being chosen. */
  #picked: number | null | undefined;

  constructor(context: FlowContext) {
    this.#context = context;
    const { host, settings } = context;
    this.#feed = new ProfileFeed({
      client: host.services.client,
      onChange: coalesced(() => this.#layer.redraw()),
      onError: (detail) => context.note('profile', detail && `The volume profile could not be loaded: ${detail}`),
    });
    const legend = new LegendRoom(host);
    this.#layer = new ProfileLayer({
      profile: () => this.#feed.profile,
      edge: () => settings.choices.profileEdge,
      digits: () => host.market()?.digits ?? 2,
      ends: () => this.#ends(),
      roomAbove: () => legend.height,
    });
    host.chart.timeScale().subscribeVisibleLogicalRangeChange(() => this.#want());
    host.signal.addEventListener('abort', () => this.#feed.close(), { once: true });
    document.addEventListener('keydown', (event) => event.key === 'Escape' && this.#stopPicking(), {
      signal: host.signal,
    });
  }

  open(_market: ChartMarket): void {
    this.#stopPicking();
    this.#feed.want(null);
  }

  apply(): void {
    const { host, settings } = this.#context;
    const { profile, fixedRanges } = settings.choices;
    const symbol = host.market()?.instrument.symbol;
    const shown = profile !== 'off';
    if (shown !== this.#attached) {
      this.#attached = shown;
      if (shown) host.prices.attachPrimitive(this.#layer);
      else host.prices.detachPrimitive(this.#layer);
    }
    if (profile !== 'fixed') this.#stopPicking();
    else if (symbol !== undefined && !fixedRanges[symbol]) this.pick();
    if (!shown) {
      this.#feed.close();
      this.#context.note('profile', '');
    }
    this.#want();
    this.#layer.redraw();
  }

  draw(_series: ChartBars, _changes: Changes): void {
    this.#want();
  }

  press({ time }: ChartPoint): boolean {
    if (this.#picked === undefined) return false;
    const { host, settings } = this.#context;
    const start = barStartAt(host.bars(), time);
    const symbol = host.market()?.instrument.symbol;
    if (start === null || symbol === undefined) return false;
    if (this.#picked === null) {
      this.#picked = start;
      this.#say(SECOND);
      return true;
    }
    const [from, to] = [Math.min(this.#picked, start), Math.max(this.#picked, start)];
    this.#stopPicking();
    settings.setRange(symbol, { from, to });
    return true;
  }

  /** Lets the user choose a fixed range with two clicks. */
  pick(): void {
    this.#picked = null;
    this.#say(FIRST);
  }

  /** The figures of the profile, in words; '' without one. */
  summary(): string {
    const profile = this.#feed.profile;
    if (!profile) return '';
    const digits = this.#context.host.market()?.digits ?? 2;
    const at = Object.fromEntries(linesOf(profile).map(({ name, price: value }) => [name, price(value, digits)]));
    if (!at.POC) return 'Nothing was traded in this range.';
    const missing =
      profile.uncovered_volume > 0 ? ` ${volume(profile.uncovered_volume)} more has no prices and is left out.` : '';
    return `POC ${at.POC}, value area ${at.VAL} to ${at.VAH}, volume ${volume(profile.volume)}.${missing}`;
  }

  #say(text: string): void {
    this.#context.note('pick', text);
    this.#context.host.announce(text);
  }

  #stopPicking(): void {
    if (this.#picked === undefined) return;
    this.#picked = undefined;
    this.#context.note('pick', '');
  }

  #want(): void {
    const { host, settings, note } = this.#context;
    const { profile, fixedRanges } = settings.choices;
    const [series, market, seen] = [host.bars(), host.market(), host.chart.timeScale().getVisibleLogicalRange()];
    if (!series || !market || !seen || !host.traded || profile === 'off') return;
    const { symbol } = market.instrument;
    const range = rangeOf(profile, series, seen, fixedRanges[symbol]);
    const tooLong = range !== null && isTooLong(range, host.services.quotes.serviceNow);
    note('range', tooLong ? TOO_LONG : '');
    this.#feed.want(range && !tooLong ? { symbol, ...range } : null);
  }

  #ends(): readonly (number | null)[] {
    const { host, settings } = this.#context;
    const symbol = host.market()?.instrument.symbol;
    const fixed = symbol !== undefined && settings.choices.profile === 'fixed' && settings.choices.fixedRanges[symbol];
    return fixed ? [host.xOf(fixed.from), fixed.to === null ? null : host.xOf(fixed.to)] : [];
  }
}
