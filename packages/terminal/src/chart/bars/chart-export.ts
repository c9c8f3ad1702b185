// The loaded bars as CSV (RFC 4180), and the names of files.
import type { ChartCandle } from './chart-bars.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume', 'buy_volume', 'sell_volume'];
/** Decimals of volumes: those of the smallest lot of a crypto exchange. */
const VOLUME_DECIMALS = 8;

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
