// Saves a chart as a file.
import { chartImage, csvOf, fileName, saveFile } from './chart-export.ts';
import type { ChartHost } from './chart-part.ts';

export function saveImage(host: ChartHost): void {
  const market = host.market();
  if (!market) return;
  const { symbol } = market.instrument;
  const canvas = chartImage(host.chart.takeScreenshot(true), `${symbol} · ${market.interval}`, new Date());
  canvas.toBlob((blob) => {
    if (blob) saveFile(fileName(symbol, market.interval, 'png'), blob);
    else host.services.notifier.show('This browser could not make the image.');
  }, 'image/png');
}

export function saveCsv(host: ChartHost): void {
  const market = host.market();
  const bars = host.bars();
  if (!market || !bars) return;
  const text = csvOf(bars.candles, market.digits);
  saveFile(fileName(market.instrument.symbol, market.interval, 'csv'), new Blob([text], { type: 'text/csv' }));
}
