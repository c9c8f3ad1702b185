// Draws a text of a drawing on ground of its own, so that it can be read over candles.
import { faint, type Palette } from '../../ui/theme.ts';
import { boxOf } from './hit.ts';
import type { ShapeText } from './shape.ts';

const PADDING = 3;
const GROUND_ALPHA = 'd9';

type Context = Pick<
  CanvasRenderingContext2D,
  'font' | 'textAlign' | 'textBaseline' | 'fillStyle' | 'measureText' | 'fillRect' | 'fillText'
>;
type Colors = Pick<Palette, 'panel' | 'fontFamily'> & Readonly<Record<ShapeText['color'], string>>;

export function drawLabel(context: Context, text: ShapeText, palette: Colors): void {
  const { lines, size, at, color, align } = text;
  const [, top, , bottom] = boxOf(text);
  context.font = `${size}px ${palette.fontFamily}`;
  context.textAlign = align;
  context.textBaseline = 'middle';
  const width = Math.max(...lines.map((line) => context.measureText(line).width));
  const left = align === 'center' ? at.x - width / 2 : at.x;
  context.fillStyle = faint(palette.panel, GROUND_ALPHA);
  context.fillRect(left - PADDING, top, width + 2 * PADDING, bottom - top);
  context.fillStyle = palette[color];
  const step = (bottom - top) / lines.length;
  for (const [row, line] of lines.entries()) context.fillText(line, at.x, top + (row + 0.5) * step);
}
