// Horizontal bar chart with the range of the rounds as a whisker, as inline SVG.
import { median, range } from '../measure/statistics.ts';
import { formatFigure } from './check-target.ts';

export interface PlotBar {
  readonly label: string;
  readonly values: readonly number[];
  readonly ours: boolean;
}

const WIDTH = 1_040;
const LABEL = 260;
const VALUE = 130;
const ROW = 30;
const THICK = 18;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function plot(title: string, unit: string, bars: readonly PlotBar[]): string {
  const most = Math.max(...bars.flatMap(({ values }) => values)) || 1;
  const scale = (value: number): number => (value / most) * (WIDTH - LABEL - VALUE);
  const rows = bars.map(({ label, values, ours }, index) => {
    const y = index * ROW;
    const middle = median(values);
    const [low, high] = range(values);
    const centre = y + ROW / 2;
    const text = `${formatFigure(middle, unit)}`;
    return [
      `<text x="${LABEL - 12}" y="${centre + 4}" text-anchor="end">${escapeHtml(label)}</text>`,
      `<rect x="${LABEL}" y="${centre - THICK / 2}" width="${fixed(scale(middle))}" height="${THICK}" rx="2" class="${ours ? 'ours' : 'peer'}"/>`,
      `<path d="M${fixed(LABEL + scale(low))} ${centre}H${fixed(LABEL + scale(high))}m0 -4v8M${fixed(LABEL + scale(low))} ${centre - 4}v8" class="range"/>`,
      `<text x="${fixed(LABEL + scale(high) + 10)}" y="${centre + 4}" class="value">${escapeHtml(text)}</text>`,
    ].join('');
  });
  const height = bars.length * ROW;
  return `<figure><figcaption>${escapeHtml(title)}${unit ? `, ${escapeHtml(unit)}` : ''}</figcaption><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">${rows.join('')}</svg></figure>`;
}

const fixed = (value: number): string => value.toFixed(1);
