// Draws the bars around a signal with its levels over them: what it risked and what it was after, from its publication to its
// end. Pure but for the canvas.
import type { OhlcvBar } from '@tickwire/client';
import { price } from '../format.ts';
import { zoned } from '../moments.ts';
import type { Palette } from '../theme.ts';
import type { Levels } from './levels.ts';
import type { PictureWindow } from './picture-window.ts';
import { evenSteps, timeStep } from './steps.ts';

export interface Picture {
  readonly levels: Levels;
  readonly digits: number;
  readonly bars: readonly OhlcvBar[];
  readonly window: PictureWindow;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly filled: { readonly at: number; readonly price: number } | null;
  readonly ended: { readonly at: number; readonly price: number | null } | null;
  /** Where the market is now; null where it does not matter any more. */
  readonly last: number | null;
}

const AXIS_BELOW = 20;
const LABEL_GAP = 14;
const clock = zoned({ hour: '2-digit', minute: '2-digit' });
const date = zoned({ day: 'numeric', month: 'short' });

interface Plot {
  readonly width: number;
  readonly height: number;
  readonly x: (time: number) => number;
  readonly y: (value: number) => number;
  readonly low: number;
  readonly high: number;
}

function plotOf(picture: Picture, width: number, height: number): Plot {
  const { levels, bars, window, last } = picture;
  const values = [levels.entry, levels.stop_loss, levels.take_profit, ...(last === null ? [] : [last])];
  for (const bar of bars) values.push(bar.low, bar.high);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const room = (highest - lowest) * 0.07 || 1;
  const [low, high] = [lowest - room, highest + room];
  return {
    width,
    height,
    low,
    high,
    x: (time) => ((time - window.from) / (window.to - window.from)) * width,
    y: (value) => ((high - value) / (high - low)) * height,
  };
}

export function paintPicture(
  context: CanvasRenderingContext2D,
  fullWidth: number,
  fullHeight: number,
  picture: Picture,
  palette: Palette,
): void {
  context.font = palette.font;
  context.textBaseline = 'middle';
  const { entry, stop_loss, take_profit } = picture.levels;
  const labels = [
    { at: take_profit, text: `Target ${price(take_profit, picture.digits)}`, colour: palette.up },
    { at: entry, text: `Entry ${price(entry, picture.digits)}`, colour: palette.text },
    { at: stop_loss, text: `Stop ${price(stop_loss, picture.digits)}`, colour: palette.down },
  ];
  const axis = Math.ceil(Math.max(...labels.map(({ text }) => context.measureText(text).width))) + 14;
  const plot = plotOf(picture, fullWidth - axis, fullHeight - AXIS_BELOW);
  paintGrid(context, picture, plot, palette);
  paintZones(context, picture, plot, palette);
  paintBars(context, picture, plot, palette);
  paintLevels(context, plot, labels, fullWidth);
  paintMarks(context, picture, plot, palette);
}

function paintGrid(context: CanvasRenderingContext2D, { window }: Picture, plot: Plot, palette: Palette): void {
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  for (const step of evenSteps(plot.low, plot.high, 5)) {
    const y = Math.round(plot.y(step)) + 0.5;
    context.moveTo(0, y);
    context.lineTo(plot.width, y);
  }
  context.stroke();
  context.fillStyle = palette.muted;
  context.textAlign = 'center';
  const every = timeStep(window.to - window.from, Math.max(1, Math.floor(plot.width / 90)));
  for (let time = Math.ceil(window.from / every) * every; time < window.to; time += every) {
    const x = plot.x(time);
    if (x > 20 && x < plot.width - 20)
      context.fillText(every >= 86_400_000 ? date(time) : clock(time), x, plot.height + AXIS_BELOW / 2);
  }
}

/** From the publication to the end: what was risked below the entry, what was hoped for above; mirrored for a sell. */
function paintZones(context: CanvasRenderingContext2D, picture: Picture, plot: Plot, palette: Palette): void {
  const { levels, start, ended, window } = picture;
  const [left, right] = [plot.x(start), plot.x(ended?.at ?? window.to)];
  context.globalAlpha = 0.12;
  for (const [level, colour] of [
    [levels.take_profit, palette.up],
    [levels.stop_loss, palette.down],
  ] as const) {
    const [one, other] = [plot.y(levels.entry), plot.y(level)];
    context.fillStyle = colour;
    context.fillRect(left, Math.min(one, other), Math.max(2, right - left), Math.abs(one - other));
  }
  context.globalAlpha = 1;
}

function paintBars(context: CanvasRenderingContext2D, { bars, window }: Picture, plot: Plot, palette: Palette): void {
  const slot = plot.width / ((window.to - window.from) / window.barMs);
  const width = Math.max(1, Math.floor(slot * 0.7));
  for (const bar of bars) {
    const x = plot.x(Date.parse(bar.time)) + slot / 2;
    context.fillStyle = bar.close >= bar.open ? palette.up : palette.down;
    const [top, bottom] = [plot.y(bar.high), plot.y(bar.low)];
    context.fillRect(Math.round(x), Math.round(top), 1, Math.max(1, Math.round(bottom - top)));
    const [open, close] = [plot.y(bar.open), plot.y(bar.close)];
    const height = Math.max(1, Math.round(Math.abs(open - close)));
    context.fillRect(Math.round(x - width / 2), Math.round(Math.min(open, close)), width, height);
  }
}

function paintLevels(
  context: CanvasRenderingContext2D,
  plot: Plot,
  labels: readonly { readonly at: number; readonly text: string; readonly colour: string }[],
  fullWidth: number,
): void {
  context.textAlign = 'right';
  // Levels may lie near each other: their labels are pushed apart, from the top down.
  let free = LABEL_GAP / 2;
  for (const { at, text, colour } of [...labels].sort((one, other) => other.at - one.at)) {
    const y = Math.round(plot.y(at)) + 0.5;
    context.strokeStyle = colour;
    context.setLineDash([5, 4]);
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(plot.width, y);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = colour;
    const label = Math.min(plot.height - LABEL_GAP / 2, Math.max(free, y));
    context.fillText(text, fullWidth - 4, label);
    free = label + LABEL_GAP;
  }
}

function paintMarks(context: CanvasRenderingContext2D, picture: Picture, plot: Plot, palette: Palette): void {
  const { start, filled, ended, last } = picture;
  context.strokeStyle = palette.muted;
  context.setLineDash([2, 3]);
  context.beginPath();
  for (const time of [start, ...(ended ? [ended.at] : [])]) {
    const x = Math.round(plot.x(time)) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, plot.height);
  }
  context.stroke();
  context.setLineDash([]);
  const dot = (time: number, value: number, colour: string): void => {
    context.beginPath();
    context.arc(plot.x(time), plot.y(value), 4, 0, Math.PI * 2);
    context.fillStyle = colour;
    context.fill();
  };
  if (filled) dot(filled.at, filled.price, palette.accent);
  if (ended && ended.price !== null) dot(ended.at, ended.price, palette.text);
  if (last === null) return;
  const y = Math.round(plot.y(last)) + 0.5;
  context.strokeStyle = palette.accent;
  context.beginPath();
  context.moveTo(0, y);
  context.lineTo(plot.width, y);
  context.stroke();
}
