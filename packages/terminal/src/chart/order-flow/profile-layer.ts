// Draws a volume profile at the left or right edge of the prices: bought and sold volume of each level, brighter within the value
// area, with lines at the point of control and the ends of the value area.
import type { Profile } from '@tickwire/client';
import { price } from '../../ui/format.ts';
import { currentPalette, faint } from '../../ui/theme.ts';
import { crisp, PaneLayer, type PaneTarget, strokeLine } from '../layers/pane-layer.ts';
import type { Edge } from './flow-choices.ts';
import { type CellGroup, groupLevels, levelsPerCell } from './footprint-levels.ts';

/** Part of the width that the longest row covers, and most of it in pixels. */
const SHARE = 0.22;
const MAX_WIDTH = 220;
const MIN_ROW = 3;
const FONT_SIZE = 10;
const LABEL_HEIGHT = 13;
/** In a narrower chart, the legend reaches as far as the labels. */
const NARROW = 640;

export interface ProfileSource {
  profile(): Profile | null;
  edge(): Edge;
  digits(): number;
  /** Ends of a fixed range, in pixels from the left; `null` if the end is not shown. */
  ends(): readonly (number | null)[];
  /** Pixels above the prices that the legend covers. */
  roomAbove(): number;
}

export interface ProfileLine {
  readonly name: 'POC' | 'VAH' | 'VAL';
  readonly price: number;
}

/** The point of control first: its label is the most important. */
export function linesOf({
  poc,
  value_area,
  level,
}: Pick<Profile, 'poc' | 'value_area' | 'level'>): readonly ProfileLine[] {
  if (poc === null || value_area === null) return [];
  return [
    // In the middle of its level.
    { name: 'POC', price: poc + level / 2 },
    // The upper end of its highest level.
    { name: 'VAH', price: value_area.high + level },
    { name: 'VAL', price: value_area.low },
  ];
}

/** Where the label of a line is: whole, also if the line is at an edge of the pane. `null` if the line is outside of it. */
export const labelHeight = (y: number, height: number): number | null =>
  y < 0 || y > height ? null : Math.max(LABEL_HEIGHT / 2, Math.min(height - LABEL_HEIGHT / 2, y));

export class ProfileLayer extends PaneLayer {
  readonly #source: ProfileSource;
  #grouped: { readonly profile: Profile; readonly count: number; readonly group: CellGroup } | null = null;

  constructor(source: ProfileSource) {
    // Behind the candles and the text of footprints.
    super({ bottom: (target) => this.#draw(target) });
    this.#source = source;
  }

  redraw(): void {
    this.repaint();
  }

  #draw(target: PaneTarget): void {
    const profile = this.#source.profile();
    if (!profile || profile.levels.length === 0 || !this.host) return;
    const group = this.#groupOf(profile);
    target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
      this.#drawEnds(context, height);
      this.#drawRows(context, profile, group, width);
      this.#drawLines(context, profile, width, height);
    });
  }

  #yOf(value: number): number {
    return this.host!.series.priceToCoordinate(value) ?? 0;
  }

  #groupOf(profile: Profile): CellGroup {
    const { level, levels } = profile;
    const middle = levels[levels.length >> 1]!.price;
    const count = levelsPerCell(Math.abs(this.#yOf(middle) - this.#yOf(middle + 100 * level)) / 100, MIN_ROW);
    if (this.#grouped?.profile !== profile || this.#grouped.count !== count)
      this.#grouped = { profile, count, group: groupLevels(levels, level, count) };
    return this.#grouped.group;
  }

  #drawEnds(context: CanvasRenderingContext2D, height: number): void {
    context.strokeStyle = currentPalette().accent;
    context.setLineDash([2, 4]);
    for (const x of this.#source.ends()) if (x !== null) strokeLine(context, [crisp(x), 0], [crisp(x), height]);
    context.setLineDash([]);
  }

  #drawRows(
    context: CanvasRenderingContext2D,
    { value_area, level }: Profile,
    { cells, step, most }: CellGroup,
    width: number,
  ): void {
    const { up, down } = currentPalette();
    const longest = Math.min(MAX_WIDTH, width * SHARE);
    const fromRight = this.#source.edge() === 'right';
    const bar = (x: number, y: number, w: number, h: number): void =>
      context.fillRect(fromRight ? width - x - w : x, y, w, h);
    for (const { price: at, buy, sell } of cells) {
      const [top, bottom] = [this.#yOf(at + step), this.#yOf(at)];
      const isValued = value_area !== null && at + step > value_area.low && at < value_area.high + level;
      const alpha = isValued ? '88' : '40';
      const [bought, sold] = [(buy / most) * longest, (sell / most) * longest];
      const rowHeight = Math.max(1, bottom - top - 1);
      context.fillStyle = faint(up, alpha);
      bar(0, top, bought, rowHeight);
      context.fillStyle = faint(down, alpha);
      bar(bought, top, sold, rowHeight);
    }
  }

  #drawLines(context: CanvasRenderingContext2D, profile: Profile, width: number, height: number): void {
    const { notice, muted, panel, fontFamily } = currentPalette();
    const fromRight = this.#source.edge() === 'right';
    const longest = Math.min(MAX_WIDTH, width * SHARE);
    const labelled: number[] = [];
    context.font = `${FONT_SIZE}px ${fontFamily}`;
    context.textBaseline = 'middle';
    context.textAlign = fromRight ? 'right' : 'left';
    for (const { name, price: at } of linesOf(profile)) {
      const y = crisp(this.#yOf(at));
      context.strokeStyle = name === 'POC' ? notice : muted;
      context.setLineDash(name === 'POC' ? [] : [4, 3]);
      strokeLine(context, [0, y], [width, y]);
      const labelY = labelHeight(y, height);
      // Labels overlap neither each other nor the legend.
      if (labelY === null || ((!fromRight || width < NARROW) && labelY < this.#source.roomAbove() + LABEL_HEIGHT))
        continue;
      if (labelled.some((other) => Math.abs(other - labelY) < LABEL_HEIGHT)) continue;
      labelled.push(labelY);
      const text = `${name} ${price(at, this.#source.digits())}`;
      const x = fromRight ? width - longest - 6 : longest + 6;
      const textWidth = context.measureText(text).width;
      context.fillStyle = panel;
      context.fillRect(fromRight ? x - textWidth - 2 : x - 2, labelY - LABEL_HEIGHT / 2, textWidth + 4, LABEL_HEIGHT);
      context.fillStyle = name === 'POC' ? notice : muted;
      context.fillText(text, x, labelY);
    }
    context.setLineDash([]);
  }
}
