// Draws footprints over the candles of a chart: sold × bought of each price level if the bars are wide enough to read it,
// otherwise boxes whose colour shows which side traded more, and how much. Narrow bars stay candles.
import type { AutoscaleInfo, Logical } from 'lightweight-charts';
import { signedVolume } from '../../ui/format.ts';
import { currentPalette, faint, type Palette } from '../../ui/theme.ts';
import type { ChartBars, ChartCandle } from '../bars/chart-bars.ts';
import { PaneLayer, type PaneTarget } from '../layers/pane-layer.ts';
import type { Footprint } from './footprint-feed.ts';
import { type Cell, type CellGroup, groupLevels, levelsPerCell } from './footprint-levels.ts';

export type FootprintMode = 'text' | 'boxes' | 'candles';

/** Distance between bars from which on text and boxes fit. Pixels. */
export const TEXT_SPACING = 78;
const BOX_SPACING = 10;
const CELL_HEIGHT: Readonly<Record<FootprintMode, number>> = { text: 13, boxes: 3, candles: 3 };
const FONT_SIZE = 10;
/** Part of the distance that a bar covers. */
const WIDTH = 0.94;
/** Width of the candle beside the cells. */
const CANDLE_WIDTH: Readonly<Record<FootprintMode, number>> = { text: 5, boxes: 2, candles: 0 };
const TINTS = 8;
const ROOM_BELOW = 18;
const DASH = 3;
/** From the middle of a cell to its sizes. */
const TEXT_GAP = 5;

export const modeAt = (spacing: number): FootprintMode =>
  spacing >= TEXT_SPACING ? 'text' : spacing >= BOX_SPACING ? 'boxes' : 'candles';

/** Middle of the text below a bar whose lowest cell ends at `low`: whole, also if the bar reaches the lower edge. Pixels. */
export const deltaHeight = (low: number, height: number): number =>
  Math.min(low + FONT_SIZE, height - FONT_SIZE / 2 - 1);

/** Width of the sold or the bought size in a cell. A longer text is drawn narrower, or the next bar would cut it off. Pixels. */
export const sizeWidth = (cellWidth: number): number => Math.max(1, cellWidth / 2 - TEXT_GAP - DASH);

export interface FootprintSource {
  bars(): ChartBars | null;
  footprintAt(time: number): Footprint | undefined;
  /** Pixels above the prices that the legend covers. */
  roomAbove(): number;
}

interface Tints {
  readonly palette: Palette;
  readonly up: readonly string[];
  readonly down: readonly string[];
}

export class FootprintLayer extends PaneLayer {
  readonly #source: FootprintSource;
  /** Cells by footprint: only those of a forming bar change. */
  #groups = new WeakMap<Footprint, CellGroup>();
  #perCell = 0;
  #tints: Tints | null = null;
  /** As last reserved. */
  #margins = '';

  constructor(source: FootprintSource) {
    super({ normal: (target) => this.#draw(target) });
    this.#source = source;
  }

  autoscaleInfo(): AutoscaleInfo | null {
    return this.mode === 'candles'
      ? null
      : { priceRange: null, margins: { above: this.#source.roomAbove(), below: ROOM_BELOW } };
  }

  redraw(): void {
    const margins = JSON.stringify(this.autoscaleInfo());
    this.repaint(margins !== this.#margins);
    this.#margins = margins;
  }

  applyTheme(): void {
    this.#tints = null;
  }

  get mode(): FootprintMode {
    return this.host ? modeAt(this.host.chart.timeScale().options().barSpacing) : 'candles';
  }

  /** The cells of a bar as they are drawn; `null` if it has none. */
  cellsOf(footprint: Footprint | undefined): CellGroup | null {
    if (!footprint || footprint.levels.length === 0) return null;
    const perCell = this.#cellSize(footprint.level);
    if (perCell !== this.#perCell) {
      this.#perCell = perCell;
      this.#groups = new WeakMap();
    }
    const known = this.#groups.get(footprint);
    if (known) return known;
    const group = groupLevels(footprint.levels, footprint.level, perCell);
    this.#groups.set(footprint, group);
    return group;
  }

  #cellSize(level: number): number {
    const { series } = this.host!;
    const middle = this.#source.bars()?.candles.at(-1)?.close ?? 0;
    const [from, to] = [series.priceToCoordinate(middle), series.priceToCoordinate(middle + 100 * level)];
    return from === null || to === null ? 1 : levelsPerCell(Math.abs(to - from) / 100, CELL_HEIGHT[this.mode]);
  }

  #draw(target: PaneTarget): void {
    const [host, series, mode] = [this.host, this.#source.bars(), this.mode];
    const seen = host?.chart.timeScale().getVisibleLogicalRange();
    if (!host || !series || !seen || mode === 'candles') return;
    const scale = host.chart.timeScale();
    const { candles } = series;
    const spacing = scale.options().barSpacing;
    target.useMediaCoordinateSpace(({ context, mediaSize: { height } }) => {
      context.font = `${FONT_SIZE}px ${this.#colors.palette.fontFamily}`;
      context.textBaseline = 'middle';
      for (let at = Math.max(0, Math.floor(seen.from)); at <= Math.min(candles.length - 1, Math.ceil(seen.to)); at++) {
        const footprint = this.#source.footprintAt(candles[at]!.time);
        const group = this.cellsOf(footprint);
        const x = scale.logicalToCoordinate(at as Logical);
        if (!group || !footprint || x === null) continue;
        const low = this.#drawBar(context, candles[at]!, group, x, spacing, mode);
        this.#writeDelta(context, footprint.delta, x, deltaHeight(low, height), spacing, mode);
      }
    });
  }

  /** Returns where the bar ends below. */
  #drawBar(
    context: CanvasRenderingContext2D,
    candle: ChartCandle,
    { cells, step, poc, most }: CellGroup,
    x: number,
    spacing: number,
    mode: FootprintMode,
  ): number {
    const { palette, up, down } = this.#colors;
    const { series } = this.host!;
    const yOf = (price: number): number => series.priceToCoordinate(price) ?? 0;
    const width = spacing * WIDTH;
    const left = x - width / 2;
    const cellsLeft = left + CANDLE_WIDTH[mode] + 2;
    const cellsWidth = left + width - cellsLeft;
    const [top, bottom] = [yOf(cells.at(-1)!.price + step), yOf(cells[0]!.price)];
    // Hides the candle, whatever its type.
    const [high, low] = [Math.min(top, yOf(candle.high)), Math.max(bottom, yOf(candle.low))];
    context.fillStyle = palette.panel;
    context.fillRect(x - spacing / 2, high - 1, spacing, low - high + 2);
    context.fillStyle = candle.close >= candle.open ? palette.up : palette.down;
    const [open, close] = [yOf(candle.open), yOf(candle.close)];
    const candleMiddle = left + CANDLE_WIDTH[mode] / 2;
    context.fillRect(candleMiddle - 0.5, yOf(candle.high), 1, Math.max(1, yOf(candle.low) - yOf(candle.high)));
    context.fillRect(left, Math.min(open, close), CANDLE_WIDTH[mode], Math.max(1, Math.abs(open - close)));
    for (const cell of cells) {
      const [cellTop, cellBottom] = [yOf(cell.price + step), yOf(cell.price)];
      const height = Math.max(1, cellBottom - cellTop - 1);
      const tint = Math.min(TINTS - 1, Math.floor(((cell.buy + cell.sell) / most) * TINTS));
      context.fillStyle = (cell.buy >= cell.sell ? up : down)[tint]!;
      context.fillRect(cellsLeft, cellTop, cellsWidth, height);
      if (cell.imbalance) this.#markImbalance(context, cell, cellsLeft, cellsWidth, cellTop, height);
      if (mode === 'text') this.#writeCell(context, cell, cellsLeft, cellsWidth, (cellTop + cellBottom - 1) / 2);
    }
    if (poc) {
      context.strokeStyle = palette.notice;
      context.lineWidth = 1;
      const pocTop = yOf(poc.price + step);
      context.strokeRect(cellsLeft + 0.5, pocTop + 0.5, cellsWidth - 1, Math.max(1, yOf(poc.price) - pocTop - 2));
    }
    return low;
  }

  #writeDelta(
    context: CanvasRenderingContext2D,
    delta: number,
    x: number,
    y: number,
    spacing: number,
    mode: FootprintMode,
  ): void {
    const { palette } = this.#colors;
    const text = mode === 'text' ? `Δ ${signedVolume(delta)}` : signedVolume(delta);
    const [width, room] = [context.measureText(text).width, spacing - 4];
    if (mode !== 'text' && width > room) return;
    const ground = Math.min(width, room) + 2;
    context.fillStyle = palette.panel;
    context.fillRect(x - ground / 2, y - FONT_SIZE / 2, ground, FONT_SIZE);
    context.textAlign = 'center';
    context.fillStyle = delta >= 0 ? palette.up : palette.down;
    context.fillText(text, x, y, room);
  }

  #markImbalance(
    context: CanvasRenderingContext2D,
    { imbalance }: Cell,
    left: number,
    width: number,
    top: number,
    height: number,
  ): void {
    const { palette } = this.#colors;
    context.fillStyle = imbalance === 'buy' ? palette.up : palette.down;
    context.fillRect(imbalance === 'buy' ? left + width - DASH : left, top, DASH, height);
  }

  #writeCell(context: CanvasRenderingContext2D, cell: Cell, left: number, width: number, y: number): void {
    const { palette } = this.#colors;
    const [middle, most] = [left + width / 2, sizeWidth(width)];
    context.fillStyle = palette.muted;
    context.textAlign = 'center';
    context.fillText('×', middle, y);
    context.textAlign = 'right';
    context.fillStyle = cell.imbalance === 'sell' ? palette.down : palette.text;
    context.fillText(cell.sellText, middle - TEXT_GAP, y, most);
    context.textAlign = 'left';
    context.fillStyle = cell.imbalance === 'buy' ? palette.up : palette.text;
    context.fillText(cell.buyText, middle + TEXT_GAP, y, most);
  }

  get #colors(): Tints {
    if (this.#tints) return this.#tints;
    const palette = currentPalette();
    const tintsOf = (color: string): readonly string[] =>
      Array.from({ length: TINTS }, (_, at) => faint(color, (12 + at * 12).toString(16).padStart(2, '0')));
    this.#tints = { palette, up: tintsOf(palette.up), down: tintsOf(palette.down) };
    return this.#tints;
  }
}
