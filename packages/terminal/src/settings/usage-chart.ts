// A small bar chart in SVG: one bar for each point of time, and the limit as a dashed line.
import { box, make } from '../elements.ts';
import { figure } from '../format.ts';
import { share, usageBars } from './usage-bars.ts';

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 64;
const SLOT = 10;
const GAP = 2;

export interface UsageSeries {
  readonly title: string;
  /** What the large figure counts. */
  readonly total: string;
  readonly values: readonly number[];
  readonly times: readonly string[];
  readonly limit: number;
  /** The limit is for all points together, and not for each. */
  readonly together?: boolean;
  /** What a point is: `a minute`. */
  readonly per: string;
  /** What the whole height stands for at least. */
  readonly least?: number;
  /** A point of time as the axis and a bar name it. */
  readonly timeOf: (ms: number) => string;
}

export function usageChart(series: UsageSeries): HTMLElement {
  const { title, total, values, limit, per, together = false } = series;
  const used = together ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  const text = `${together ? '' : 'peak '}${figure(used)} of ${figure(limit)} ${per} · ${share(used, limit)}`;
  const head = box('div', 'usage-head', make('h2', '', title), make('b', '', total));
  const picture = chart(series, `${title}: ${text}`);
  return box('figure', 'usage', head, picture, axis(series), make('figcaption', 'hint', text));
}

/** Where it begins and ends; read out it would say nothing. */
function axis({ times, timeOf }: UsageSeries): HTMLElement {
  const at = (time: string | undefined) => make('span', '', time === undefined ? '' : timeOf(Date.parse(time)));
  const made = box('div', 'usage-axis', at(times[0]), at(times.at(-1)));
  made.setAttribute('aria-hidden', 'true');
  return made;
}

function chart({ values, times, limit, together, least, timeOf }: UsageSeries, label: string): SVGElement {
  const { heights, limitAt } = usageBars(values, together ? null : limit, least);
  const width = Math.max(1, values.length) * SLOT;
  const picture = shape('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
  picture.setAttribute('aria-label', label);
  heights.forEach((height, at) => {
    const tall = values[at] ? Math.max(2, height * HEIGHT) : 1;
    const bar = shape('rect', { x: at * SLOT + GAP / 2, y: HEIGHT - tall, width: SLOT - GAP, height: tall });
    bar.classList.add(values[at] ? 'used' : 'unused');
    const tip = shape('title', {});
    tip.textContent = `${figure(values[at] ?? 0)} · ${timeOf(Date.parse(times[at] ?? ''))}`;
    bar.append(tip);
    picture.append(bar);
  });
  if (limitAt !== null) {
    const y = HEIGHT - limitAt * HEIGHT;
    const line = shape('line', { x1: 0, x2: width, y1: y, y2: y });
    line.classList.add('limit');
    picture.append(line);
  }
  return picture;
}

/** An element of a picture. */
export function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
