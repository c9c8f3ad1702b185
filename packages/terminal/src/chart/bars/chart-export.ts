// The chart as files: an image with a heading, and the loaded bars as CSV (RFC 4180).
import { currentPalette } from '../../ui/theme.ts';
import type { ChartCandle } from './chart-bars.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume', 'buy_volume', 'sell_volume'];
/** Decimals of volumes: those of the smallest lot of a crypto exchange. */
const VOLUME_DECIMALS = 8;
const HEADING = 32;

/** Plain decimals, never an exponent; without trailing zeros. */
const plain = (value: number): string => {
  const text = value.toFixed(VOLUME_DECIMALS);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
};

/** A cell in quotation marks if it needs them. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Times are ISO 8601 in UTC, the start of each bar; prices have the decimals of the instrument. */
export function csvOf(candles: readonly ChartCandle[], digits: number): string {
  const rows = candles.map(({ time, open, high, low, close, volume, askVolume, bidVolume }) => [
    new Date(time).toISOString(),
    ...[open, high, low, close].map((price) => price.toFixed(digits)),
    ...[volume, askVolume, bidVolume].map(plain),
  ]);
  return [COLUMNS, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

export function fileName(symbol: string, interval: string, ending: string): string {
  return `${symbol.replace(/[^\w.-]+/g, '-')}-${interval}.${ending}`;
}

/** The drawing below a heading: what it shows, when, and where it comes from. */
export function chartImage(drawing: HTMLCanvasElement, title: string, at: Date): HTMLCanvasElement {
  const ratio = window.devicePixelRatio || 1;
  const { panel, text, muted, fontFamily } = currentPalette();
  const canvas = document.createElement('canvas');
  canvas.width = drawing.width;
  canvas.height = drawing.height + HEADING * ratio;
  const context = canvas.getContext('2d')!;
  context.fillStyle = panel;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawing, 0, HEADING * ratio);
  context.scale(ratio, ratio);
  context.textBaseline = 'middle';
  context.font = `600 14px ${fontFamily}`;
  context.fillStyle = text;
  context.fillText(title, 10, HEADING / 2);
  const width = context.measureText(title).width;
  context.font = `12px ${fontFamily}`;
  context.fillStyle = muted;
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  context.fillText(time, 22 + width, HEADING / 2);
  context.textAlign = 'right';
  context.fillText('Tickwire', drawing.width / ratio - 10, HEADING / 2);
  return canvas;
}
