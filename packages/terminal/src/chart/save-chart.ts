// Saves a chart as a file.
import { saveFile } from '../ui/save-file.ts';
import { csvOf, fileName } from './bars/chart-export.ts';
import { chartImage, timesText } from './bars/chart-image.ts';
import { intervalMsOf } from './bars/intervals.ts';
import type { ChartHost } from './frame/chart-part.ts';

export function saveImage(host: ChartHost): void {
  const market = host.market();
  if (!market) return;
  const { symbol } = market.instrument;
  const canvas = chartImage(host.chart.takeScreenshot(true), {
    title: `${symbol} · ${market.interval}`,
    titles: host.titles(),
    times: timesText(Date.now(), intervalMsOf(market.interval)),
    simulated: host.services.status.simulated.peek(),
  });
  canvas.toBlob((blob) => {
    if (blob) saveFile(fileName(symbol, market.interval, 'png'), blob);
    else host.services.notifier.show('This browser could not make the image.');
  }, 'image/png');
}

export function saveCsv(host: ChartHost): void {
  const market = host.market();
  const bars = host.bars();
  if (!market || !bars) return;
  saveFile(fileName(market.instrument.symbol, market.interval, 'csv'), csvOf(bars.candles, market.digits));
}
