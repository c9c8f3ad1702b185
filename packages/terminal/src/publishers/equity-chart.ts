// The equity curve in SVG: R added up, over a shaded stretch in which a record without any edge would lie 95 times in 100.

import { box, make, write } from '../elements.ts';
import { setNumber } from '../format.ts';
import { exactly } from '../moments.ts';
import { evenSteps } from '../signals/steps.ts';
import { inR, signedFigure } from '../signals/words.ts';
import { drawdownOf, type EquityStep } from './equity.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Of the view; it is stretched to the width of the page, and lines are not. */
const WIDTH = 1_000;
const HEIGHT = 240;

export function equityChart(course: readonly EquityStep[]): HTMLElement {
  const last = course.at(-1);
  if (!last) return make('p', 'empty-note', 'No ranked signal has closed yet: there is no course to draw.');
  const reach = course.flatMap(({ total, luck }) => [total, -(luck ?? 0), luck ?? 0]);
  const [lowest, highest] = [Math.min(0, ...reach), Math.max(0, ...reach)];
  const room = (highest - lowest) * 0.06 || 1;
  const [low, high] = [lowest - room, highest + room];
  const x = (count: number): number => (count / last.count) * WIDTH;
  const y = (value: number): number => ((high - value) / (high - low)) * HEIGHT;
  const text = `R added up over ${last.count} ranked signals: ${inR(last.total)} now`;
  const picture = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
  picture.setAttribute('aria-label', text);
  if (last.luck !== null) picture.append(shape('path', { d: luckPath(course, x, y), class: 'luck' }));
  const steps = evenSteps(low, high, 5);
  for (const step of steps)
    picture.append(shape('line', { x1: 0, x2: WIDTH, y1: y(step), y2: y(step), class: step === 0 ? 'zero' : 'grid' }));
  picture.append(shape('path', { d: linePath(course, x, y), class: 'course' }));
  const fall = drawdownOf(course);
  const fallen = fall
    ? `Deepest fall between signal ${course[fall.from]?.count ?? 0} and ${course[fall.to]?.count ?? 0}.`
    : 'It never fell below a peak.';
  const readout = make('p', 'hint equity-readout', fallen);
  const labels = box('div', 'equity-labels', ...steps.map((step) => label(step, y(step))));
  const figure = box('div', 'equity-plot', picture, labels);
  pointOut(figure, picture, course, x, readout, fallen);
  return box('figure', 'equity', figure, readout, make('figcaption', 'hint', captionOf(last)));
}

function captionOf({ luck, total, count }: EquityStep): string {
  if (luck === null) return 'Too few results to say how far luck alone would carry it.';
  const says =
    Math.abs(total) <= luck
      ? 'The line ends inside it: so far this record cannot be told from luck.'
      : total > 0
        ? 'The line ends above it: luck alone rarely gets there.'
        : 'The line ends below it: it loses more than bad luck alone would explain.';
  return `Shaded: where ${count} signals like these without any edge would end up 95 times in 100 (± ${setNumber(luck.toFixed(1))} R). ${says}`;
}

function label(value: number, y: number): HTMLElement {
  const made = make('span', '', signedFigure(value, Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0));
  made.style.top = `${(y / HEIGHT) * 100}%`;
  return made;
}

function linePath(course: readonly EquityStep[], x: (count: number) => number, y: (value: number) => number): string {
  const points = course.map(({ count, total }) => `L${x(count).toFixed(1)} ${y(total).toFixed(1)}`);
  return `M0 ${y(0).toFixed(1)}${points.join('')}`;
}

function luckPath(course: readonly EquityStep[], x: (count: number) => number, y: (value: number) => number): string {
  const edge = (sign: 1 | -1): string[] =>
    course.map(({ count, luck }) => `L${x(count).toFixed(1)} ${y(sign * (luck ?? 0)).toFixed(1)}`);
  return `M0 ${y(0).toFixed(1)}${edge(1).join('')}${edge(-1).reverse().join('')}Z`;
}

/** The signal under the pointer, in words below the picture. */
function pointOut(
  figure: HTMLElement,
  picture: SVGElement,
  course: readonly EquityStep[],
  x: (count: number) => number,
  readout: HTMLElement,
  otherwise: string,
): void {
  const mark = shape('line', { y1: 0, y2: HEIGHT, x1: -9, x2: -9, class: 'mark' });
  picture.append(mark);
  figure.addEventListener('pointermove', (event) => {
    const { left, width } = picture.getBoundingClientRect();
    const wanted = ((event.clientX - left) / width) * WIDTH;
    const near = course.reduce((best, step) =>
      Math.abs(x(step.count) - wanted) < Math.abs(x(best.count) - wanted) ? step : best,
    );
    for (const end of ['x1', 'x2']) mark.setAttribute(end, String(x(near.count)));
    write(readout, `Signal ${near.count}, ${exactly(Date.parse(near.at))}: ${inR(near.r)}, ${inR(near.total)} in all.`);
  });
  figure.addEventListener('pointerleave', () => {
    for (const end of ['x1', 'x2']) mark.setAttribute(end, '-9');
    write(readout, otherwise);
  });
}

function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
