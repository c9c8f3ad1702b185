// Line chart with logarithmic axes and a label at the end of each line, as an SVG file.
import type { Chart, Series } from '../results.ts';
import { formatFigure } from './check-target.ts';

const WIDTH = 1_040;
const HEIGHT = 240;
const LEFT = 70;
const RIGHT = 210;
const TOP = 12;
const BOTTOM = 26;
const NAME_HEIGHT = 16;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

type Scale = (value: number) => number;

/** Colours of a chart that is a file, dark or light as the browser prefers. */
const FILE_STYLE =
  'svg{font:13px system-ui,sans-serif}text{fill:#1b2430}.value,.named{fill:#5c6877}.ours{fill:#0f7f6e}.peer{fill:#a9b4c0}.line{fill:none;stroke-width:2;stroke-linejoin:round}.line.ours{stroke:#0f7f6e}.line.peer{stroke:#a9b4c0}.grid{stroke:#dfe4ea}' +
  '@media(prefers-color-scheme:dark){text{fill:#e4e9ef}.value,.named{fill:#9aa6b4}.ours{fill:#2bb5a0}.peer{fill:#4d5a68}.line.ours{stroke:#2bb5a0}.line.peer{stroke:#4d5a68}.grid{stroke:#2b3440}}';

/** A chart as the content of a file; empty if it has no points. */
export function linePlotFile(chart: Chart): string {
  const drawing = drawChart(chart);
  if (drawing === '') return '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(chart.title)}"><style>${FILE_STYLE}</style>${drawing}</svg>\n`;
}

function drawChart({ marks, series }: Chart): string {
  const points = series.flatMap(({ points: own }) => own).filter(([, y]) => Number.isFinite(y) && y > 0);
  if (points.length === 0) return '';
  const [xs, ys] = [[...points.map(([x]) => x), ...marks.map(([x]) => x)], points.map(([, y]) => y)];
  const steps = decades(Math.min(...ys), Math.max(...ys));
  const x = scaleOf(Math.min(...xs), Math.max(...xs), LEFT, WIDTH - RIGHT);
  const y = scaleOf(steps[0]!, steps.at(-1)!, HEIGHT - BOTTOM, TOP);
  const grid = steps.map(
    (value) =>
      `<path d="M${LEFT} ${fixed(y(value))}H${WIDTH - RIGHT}" class="grid"/><text x="${LEFT - 8}" y="${fixed(y(value) + 4)}" text-anchor="end" class="value">${escapeHtml(short(value))}</text>`,
  );
  const below = marks.map(
    ([at, label]) =>
      `<text x="${fixed(x(at))}" y="${HEIGHT - 6}" text-anchor="middle" class="value">${escapeHtml(label)}</text>`,
  );
  const shown = (list: Series['points']): Series['points'] => list.filter((point) => points.includes(point));
  const drawn = series.map((line) => lineSvg(line, shown(line.points), x, y));
  const names = placed(series, (line) => y(shown(line.points).at(-1)?.[1] ?? steps[0]!));
  const ends = names.map(({ line, at }) => {
    const last = shown(line.points).at(-1);
    const text = last ? `${line.name} ${formatFigure(last[1])}` : line.name;
    return `<text x="${WIDTH - RIGHT + 10}" y="${fixed(at + 4)}" class="${line.ours ? 'named ours' : 'named'}">${escapeHtml(text)}</text>`;
  });
  return [...grid, ...below, ...drawn, ...ends].join('');
}

function lineSvg({ ours }: Series, points: Series['points'], x: Scale, y: Scale): string {
  const look = ours ? 'ours' : 'peer';
  const path = points
    .map(([at, value], index) => `${index === 0 ? 'M' : 'L'}${fixed(x(at))} ${fixed(y(value))}`)
    .join('');
  return `<path d="${path}" class="line ${look}"/>${points.map(([at, value]) => `<circle cx="${fixed(x(at))}" cy="${fixed(y(value))}" r="3.5" class="${look}"/>`).join('')}`;
}

/** Labels at the ends of the lines, moved apart if they would overlap. */
function placed(series: readonly Series[], of: (line: Series) => number): { line: Series; at: number }[] {
  const sorted = series.map((line) => ({ line, at: of(line) })).sort((a, b) => a.at - b.at);
  for (let index = 1; index < sorted.length; index++)
    sorted[index]!.at = Math.max(sorted[index]!.at, sorted[index - 1]!.at + NAME_HEIGHT);
  const over = Math.max(0, (sorted.at(-1)?.at ?? 0) - (HEIGHT - BOTTOM));
  return sorted.map(({ line, at }) => ({ line, at: at - over }));
}

function scaleOf(least: number, most: number, from: number, to: number): Scale {
  const span = Math.log(most / least) || 1;
  return (value) => from + (Math.log(value / least) / span) * (to - from);
}

/** 1, 2, 5, 10, 20 … around the two values; only powers of ten if there are too many. */
function decades(least: number, most: number): number[] {
  const powers = Array.from({ length: 14 }, (_, index) => 10 ** (index - 6));
  const fine = powers.flatMap((power) => [power, 2 * power, 5 * power]);
  const around = (all: number[]): number[] => {
    const from = Math.max(
      0,
      all.findLastIndex((value) => value <= least),
    );
    return all.slice(from, all.findIndex((value) => value >= most) + 1);
  };
  const steps = around(fine);
  return steps.length > 8 ? around(powers) : steps.length < 2 ? [least, least * 2] : steps;
}

const short = (value: number): string =>
  value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 });
const fixed = (value: number): string => value.toFixed(1);
