// Draws the chart: grid, volume, candles, the line of the last price and the crosshair. Pure but for the canvas.
import { price } from '../format.ts';
import type { Palette } from '../theme.ts';
import type { Candle } from './bar-series.ts';
import { fullTimeLabel, labelInterval, priceSteps, timeLabel } from './scales.ts';
import type { Viewport } from './viewport.ts';

export interface Scene {
  readonly candles: readonly Candle[];
  readonly digits: number;
  readonly barMs: number;
  readonly view: Viewport;
  /** Where the pointer is; null when it is elsewhere. */
  readonly pointer: { readonly x: number; readonly y: number } | null;
  readonly palette: Palette;
}

const TIME_AXIS = 22;
const TOP = 10;
/** Share of the height that the volume bars may take. */
const VOLUME_SHARE = 0.16;

interface Plot {
  /** Width of the price axis right of the plot. */
  readonly axis: number;
  readonly width: number;
  readonly height: number;
  readonly y: (value: number) => number;
  readonly value: (y: number) => number;
  readonly low: number;
  readonly high: number;
  readonly first: number;
  readonly last: number;
}

export function axisWidth(context: CanvasRenderingContext2D, scene: Scene): number {
  context.font = scene.palette.font;
  const widest = scene.candles.reduce((most, candle) => Math.max(most, candle.high), 0);
  return Math.ceil(context.measureText(price(widest, scene.digits)).width) + 16;
}

function plotOf(scene: Scene, axis: number, fullWidth: number, height: number): Plot {
  const width = fullWidth - axis;
  const [first, last] = scene.view.range(scene.candles.length, width);
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = first; i <= last; i++) {
    const candle = scene.candles[i]!;
    low = Math.min(low, candle.low);
    high = Math.max(high, candle.high);
  }
  // A market that has not moved yet still needs a scale.
  const room = (high - low || 10 ** -scene.digits * 10) * 0.06;
  low -= room;
  high += room;
  const span = height - TOP - height * VOLUME_SHARE * 0.5;
  const y = (value: number): number => TOP + ((high - value) / (high - low)) * span;
  const value = (at: number): number => high - ((at - TOP) / span) * (high - low);
  return { axis, width, height, y, value, low, high, first, last };
}

export function paintCandles(context: CanvasRenderingContext2D, fullWidth: number, fullHeight: number, scene: Scene) {
  if (scene.candles.length === 0) return;
  context.font = scene.palette.font;
  context.textBaseline = 'middle';
  const plot = plotOf(scene, axisWidth(context, scene), fullWidth, fullHeight - TIME_AXIS);
  paintGrid(context, scene, plot);
  context.save();
  context.beginPath();
  context.rect(0, 0, plot.width, plot.height);
  context.clip();
  paintVolume(context, scene, plot);
  paintBodies(context, scene, plot);
  context.restore();
  paintLastPrice(context, scene, plot);
  if (scene.pointer) paintCrosshair(context, scene, plot, scene.pointer);
}

function paintGrid(context: CanvasRenderingContext2D, scene: Scene, plot: Plot): void {
  const { palette, candles, view } = scene;
  context.strokeStyle = palette.line;
  context.fillStyle = palette.muted;
  context.lineWidth = 1;
  context.textAlign = 'right';
  context.beginPath();
  for (const step of priceSteps(plot.low, plot.high, Math.max(2, Math.floor(plot.height / 48)))) {
    const y = Math.round(plot.y(step)) + 0.5;
    if (y < 6 || y > plot.height - 4) continue;
    context.moveTo(0, y);
    context.lineTo(plot.width, y);
    context.fillText(price(step, scene.digits), plot.width + plot.axis - 8, y);
  }
  context.textAlign = 'center';
  const every = labelInterval(scene.barMs, view.pixelsPerBar, 84);
  for (let i = plot.first; i <= plot.last; i++) {
    const { time } = candles[i]!;
    if (time % every !== 0) continue;
    const x = Math.round(view.x(i, candles.length, plot.width)) + 0.5;
    if (x < 20 || x > plot.width - 12) continue;
    context.moveTo(x, 0);
    context.lineTo(x, plot.height);
    context.fillText(timeLabel(time), x, plot.height + TIME_AXIS / 2);
  }
  context.stroke();
  context.textAlign = 'right';
  context.fillText('UTC', plot.width + plot.axis - 8, plot.height + TIME_AXIS / 2);
}

/** Always odd, so that the wick stands in the middle of the body to the pixel. */
function bodyWidth(scene: Scene): number {
  const width = Math.floor(scene.view.pixelsPerBar * 0.75);
  return Math.max(1, width % 2 === 0 ? width - 1 : width);
}

function paintVolume(context: CanvasRenderingContext2D, scene: Scene, plot: Plot): void {
  const { candles, view, palette } = scene;
  let most = 0;
  for (let i = plot.first; i <= plot.last; i++) most = Math.max(most, candles[i]!.volume);
  if (most === 0) return;
  const width = bodyWidth(scene);
  context.globalAlpha = 0.22;
  for (let i = plot.first; i <= plot.last; i++) {
    const candle = candles[i]!;
    const height = (candle.volume / most) * plot.height * VOLUME_SHARE;
    const x = Math.round(view.x(i, candles.length, plot.width) - width / 2);
    context.fillStyle = candle.close >= candle.open ? palette.up : palette.down;
    context.fillRect(x, plot.height - height, width, height);
  }
  context.globalAlpha = 1;
}

function paintBodies(context: CanvasRenderingContext2D, scene: Scene, plot: Plot): void {
  const { candles, view, palette } = scene;
  const width = bodyWidth(scene);
  for (let i = plot.first; i <= plot.last; i++) {
    const candle = candles[i]!;
    const left = Math.round(view.x(i, candles.length, plot.width) - width / 2);
    const [open, close] = [plot.y(candle.open), plot.y(candle.close)];
    const top = Math.round(Math.min(open, close));
    const high = Math.round(plot.y(candle.high));
    context.fillStyle = candle.close >= candle.open ? palette.up : palette.down;
    context.fillRect(left + (width - 1) / 2, high, 1, Math.max(1, Math.round(plot.y(candle.low)) - high));
    context.fillRect(left, top, width, Math.max(1, Math.round(Math.abs(open - close))));
  }
}

function tag(context: CanvasRenderingContext2D, scene: Scene, plot: Plot, y: number, text: string, fill: string): void {
  context.fillStyle = fill;
  context.fillRect(plot.width, y - 9, plot.axis, 18);
  context.textAlign = 'right';
  context.fillStyle = fill === scene.palette.raised ? scene.palette.text : '#fff';
  context.fillText(text, plot.width + plot.axis - 8, y + 0.5);
}

function paintLastPrice(context: CanvasRenderingContext2D, scene: Scene, plot: Plot): void {
  const last = scene.candles.at(-1)!;
  const y = Math.round(Math.min(plot.height - 9, Math.max(9, plot.y(last.close)))) + 0.5;
  const colour = last.close >= last.open ? scene.palette.up : scene.palette.down;
  context.strokeStyle = colour;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(0, y);
  context.lineTo(plot.width, y);
  context.stroke();
  context.setLineDash([]);
  tag(context, scene, plot, y, price(last.close, scene.digits), colour);
}

function paintCrosshair(
  context: CanvasRenderingContext2D,
  scene: Scene,
  plot: Plot,
  pointer: { readonly x: number; readonly y: number },
): void {
  if (pointer.x > plot.width || pointer.y > plot.height) return;
  const { candles, view, palette } = scene;
  const index = view.indexAt(pointer.x, candles.length, plot.width);
  const x = Math.round(view.x(index, candles.length, plot.width)) + 0.5;
  const y = Math.round(pointer.y) + 0.5;
  context.strokeStyle = palette.muted;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, plot.height);
  context.moveTo(0, y);
  context.lineTo(plot.width, y);
  context.stroke();
  context.setLineDash([]);
  tag(context, scene, plot, y, price(plot.value(pointer.y), scene.digits), palette.raised);
  const label = fullTimeLabel(candles[index]!.time, scene.barMs);
  const half = context.measureText(label).width / 2 + 8;
  const centre = Math.min(plot.width - half, Math.max(half, x));
  context.fillStyle = palette.raised;
  context.fillRect(centre - half, plot.height + 2, half * 2, TIME_AXIS - 4);
  context.fillStyle = palette.text;
  context.textAlign = 'center';
  context.fillText(label, centre, plot.height + TIME_AXIS / 2);
}
