// Liquidations as circles at their times and prices, with an area that goes by their value. Off by default: in a busy market they come
// every second.
import type { MessageOf } from '@tickwire/client';
import { isPerpetual } from '../services/is-perpetual.ts';
import { volume } from '../ui/format.ts';
import { readRecord, storeRecord } from '../ui/stored-record.ts';
import { currentPalette, faint } from '../ui/theme.ts';
import type { ChartBars } from './bars/chart-bars.ts';
import { toggleButton } from './frame/chart-buttons.ts';
import type { ChartHost, ChartMarket, ChartPart, LegendFigure } from './frame/chart-part.ts';
import { PaneLayer, type PaneTarget } from './layers/pane-layer.ts';

const CHOICE = 'tickwire.liquidations';
/** The service keeps as many. */
const LOADED = 500;
const MOST = 2_000;
/** Of the largest circle, and of the smallest. Pixels. */
const RADIUS = 14;
const LEAST_RADIUS = 3;
/** By the side of the order: a forced sale closed a long position. */
const CLOSED = { sell: 'Longs liquidated', buy: 'Shorts liquidated' } as const;

export interface ChartLiquidation {
  /** Unix time in seconds. */
  readonly time: number;
  readonly side: keyof typeof CLOSED;
  readonly price: number;
  readonly size: number;
}

const worthOf = ({ price, size }: ChartLiquidation): number => price * size;

export class LiquidationsPart extends PaneLayer implements ChartPart {
  readonly #host: ChartHost;
  readonly #button: HTMLButtonElement;
  /** By all of their fields: what was loaded may arrive on the stream as well. */
  readonly #known = new Map<string, ChartLiquidation>();
  #isOn = readRecord(localStorage, CHOICE).on === true;
  #end = new AbortController();
  #symbol = '';

  constructor(host: ChartHost) {
    super({ normal: (target) => this.#draw(target) });
    this.#host = host;
    host.prices.attachPrimitive(this);
    const title = 'Positions that the venue closed by force';
    const { button } = toggleButton('Liquidations', title, this.#isOn, (on) => {
      this.#isOn = on;
      storeRecord(localStorage, CHOICE, { on });
      this.#follow();
    });
    this.#button = button;
    host.addTool(button, 'menu');
    host.signal.addEventListener('abort', () => this.#end.abort());
  }

  open({ instrument: { symbol } }: ChartMarket): void {
    if (symbol === this.#symbol) return;
    this.#symbol = symbol;
    this.#button.hidden = !isPerpetual(symbol);
    this.#follow();
  }

  figures({ candles, intervalMs }: ChartBars, at: number): readonly LegendFigure[] {
    const start = candles[at]!.time;
    return liquidatedIn([...this.#known.values()], start, candles[at + 1]?.time ?? start + intervalMs);
  }

  #follow(): void {
    this.#end.abort();
    this.#known.clear();
    this.repaint();
    if (!this.#isOn || this.#button.hidden) return;
    this.#end = new AbortController();
    const { signal } = this.#end;
    const { client, streams } = this.#host.services;
    const symbol = this.#symbol;
    const onMessage = (message: MessageOf<'perpetual'>): void => {
      if (message.type === 'liquidation') this.#add(message);
    };
    const onGap = async (): Promise<void> => {
      // Without them, the stream still has those that follow.
      const loaded = await client.perpetual(symbol, { limit: LOADED }, { signal }).catch(() => null);
      for (const { timestamp, ...each } of loaded?.liquidations.toReversed() ?? [])
        this.#add({ ...each, time: Math.floor(Date.parse(timestamp) / 1_000) });
    };
    streams.open('perpetual', { symbols: [symbol] }, { onMessage, onGap }, signal);
    void onGap();
  }

  #add({ time, side, price, size }: ChartLiquidation): void {
    this.#known.set([time, side, price, size].join(), { time, side, price, size });
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value!);
    this.repaint();
  }

  #draw(target: PaneTarget): void {
    const all = [...this.#known.values()];
    const largest = Math.max(...all.map(worthOf));
    // A bar is drawn around its start.
    const half = (this.#host.bars()?.intervalMs ?? 0) / 2;
    const { up, down, panel } = currentPalette();
    target.useMediaCoordinateSpace(({ context }) => {
      for (const each of all) {
        const [x, y] = [this.#host.xOf(each.time * 1_000 - half), this.#host.yOf(each.price)];
        if (x === null || y === null) continue;
        const radius = Math.max(LEAST_RADIUS, RADIUS * Math.sqrt(worthOf(each) / largest));
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.fillStyle = faint(each.side === 'buy' ? up : down, 'b3');
        context.fill();
        // It shows a circle that lies over its bar.
        context.strokeStyle = panel;
        context.stroke();
      }
    });
  }
}

/** What was liquidated from one time to another, in the currency of the prices. */
export function liquidatedIn(all: readonly ChartLiquidation[], from: number, to: number): readonly LegendFigure[] {
  return (['sell', 'buy'] as const).flatMap((side) => {
    const own = all.filter((each) => each.side === side && each.time * 1_000 >= from && each.time * 1_000 < to);
    if (own.length === 0) return [];
    const [name, text] = [CLOSED[side], volume(own.reduce((sum, each) => sum + worthOf(each), 0))];
    return [{ name, text, words: `${name} ${text}` }];
  });
}
