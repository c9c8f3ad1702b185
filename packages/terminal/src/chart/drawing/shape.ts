// A drawing as lines, areas and texts in pixels. The same shape is drawn and hit, so what is seen is what can be grabbed.
import { plural } from '@tickwire/contract/plural.ts';
import { duration, percent, price, setNumber, signed, signedFigure } from '../../ui/format.ts';
import { type ColorName, type Drawing, type DrawingStyle, isLong, ratioOf } from './drawing.ts';
import { moved, type Pixel, parallelOffset, prolonged, rectangle, type Segment, type Size } from './geometry.ts';

/** What a shape needs of the chart. */
export interface ShapeView extends Size {
  /** Decimals of prices. */
  readonly digits: number;
  /** Price units; `null` for an instrument that has no pips. */
  readonly pip: number | null;
  xOf(time: number): number | null;
  yOf(price: number): number | null;
  /** Bars from one time to another, rounded; negative backwards. */
  barsBetween(from: number, to: number): number;
}

export interface ShapeLine extends Segment {
  readonly color: ColorName;
  readonly width: number;
  /** Default: solid. */
  readonly style?: DrawingStyle;
}

export interface ShapeArea {
  readonly corners: readonly Pixel[];
  readonly color: ColorName;
  /** Whether it can be grabbed inside; otherwise only if it is selected. */
  readonly solid?: boolean;
}

export interface ShapeText {
  readonly at: Pixel;
  readonly lines: readonly string[];
  readonly color: ColorName;
  readonly size: number;
  /** Where the text is, seen from `at`. */
  readonly side: 'above' | 'below' | 'right';
  readonly align: 'left' | 'center';
}

export interface Shape {
  readonly lines: readonly ShapeLine[];
  readonly areas: readonly ShapeArea[];
  readonly texts: readonly ShapeText[];
  /** One for each anchor. */
  readonly handles: readonly Pixel[];
}

/** A drawing without what is only stored. */
export type Figure = Omit<Drawing, 'kind' | 'id' | 'changed'> & { readonly kind: Drawing['kind'] | 'measure' };

export const LEVELS = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1] as const;
const LABEL_SIZE = 11;
/** Of a character, at most on average. */
const LABEL_WIDTH = 6.4;
/** Labels closer than this would cover each other. */
const LABEL_STEP = 14;
/** Of text, by line width. */
const TEXT_SIZES = [12, 14, 18, 24] as const;
const CHARACTERS_PER_LINE = 40;

/** `null` if the chart has no place for it: no bars, or no price scale. */
export function shapeOf(figure: Figure, view: ShapeView): Shape | null {
  const handles = figure.points.flatMap(({ time, price: level }) => {
    const [x, y] = [view.xOf(time), view.yOf(level)];
    return x === null || y === null || !Number.isFinite(x + y) ? [] : [{ x, y }];
  });
  if (handles.length !== figure.points.length) return null;
  return { lines: [], areas: [], texts: [], handles, ...BUILD[figure.kind](figure, handles, view) };
}

type Build = (figure: Figure, at: readonly Pixel[], view: ShapeView) => Partial<Shape>;

const BUILD: Readonly<Record<Figure['kind'], Build>> = {
  line: (figure, [from, to]) => ({ lines: [stroke(figure, from!, to!)] }),
  ray: (figure, [from, to], view) => ({
    lines: [{ ...stroke(figure, from!, to!), ...prolonged({ from: from!, to: to! }, view) }],
  }),
  horizontal: (figure, [at], { width }) => ({
    lines: [stroke(figure, { x: 0, y: at!.y }, { x: width, y: at!.y })],
  }),
  vertical: (figure, [at], { height }) => ({
    lines: [stroke(figure, { x: at!.x, y: 0 }, { x: at!.x, y: height })],
  }),
  rectangle: (figure, [one, other]) => {
    const corners = rectangle(one!, other!);
    return { lines: outline(figure, corners), areas: [{ corners, color: figure.color }] };
  },
  channel: (figure, [from, to, third]) => {
    const by = parallelOffset({ from: from!, to: to! }, third!);
    const [a, b] = [moved(from!, by), moved(to!, by)];
    const middle = stroke(figure, moved(from!, by, 0.5), moved(to!, by, 0.5));
    return {
      lines: [stroke(figure, from!, to!), stroke(figure, a, b), { ...middle, width: 1, style: 'dashed' }],
      areas: [{ corners: [from!, to!, b, a], color: figure.color }],
    };
  },
  fibonacci: fibonacciShape,
  position: positionShape,
  text: (figure, [at]) => ({ texts: [freeText(figure, at!)] }),
  measure: measureShape,
};

const stroke = ({ color, width, style }: Figure, from: Pixel, to: Pixel): ShapeLine => ({
  ...{ from, to, color, width, style },
});

const outline = (figure: Figure, corners: readonly Pixel[]): readonly ShapeLine[] =>
  corners.map((corner, at) => stroke(figure, corners.at(at - 1)!, corner));

function fibonacciShape(figure: Figure, [start, end]: readonly Pixel[], view: ShapeView): Partial<Shape> {
  const { color, points } = figure;
  const [left, right] = [Math.min(start!.x, end!.x), Math.max(start!.x, end!.x)];
  const lines: ShapeLine[] = [{ from: start!, to: end!, color: 'muted', width: 1, style: 'dashed' }];
  const texts: ShapeText[] = [];
  let labelled = Number.POSITIVE_INFINITY;
  for (const { level, price: at } of fibonacciLevels(points[0]!.price, points[1]!.price)) {
    const y = view.yOf(at);
    if (y === null) continue;
    lines.push(stroke(figure, { x: left, y }, { x: right, y }));
    if (Math.abs(y - labelled) < LABEL_STEP) continue;
    labelled = y;
    const text = `${setNumber(String(level))} (${price(at, view.digits)})`;
    texts.push({ at: { x: left + 4, y }, lines: [text], color, size: LABEL_SIZE, side: 'above', align: 'left' });
  }
  return { lines, texts };
}

/** Level 1 is where the move started, level 0 where it ended. */
export const fibonacciLevels = (start: number, end: number): readonly { level: number; price: number }[] =>
  LEVELS.map((level) => ({ level, price: end + (start - end) * level }));

/** From one price to another: `+0.00120 (+12.0 pips, +0.11%)`. */
function moveText(from: number, to: number, { digits, pip }: Pick<ShapeView, 'digits' | 'pip'>): string {
  const by = to - from;
  const inPips = pip === null ? '' : `${signedFigure(by / pip, 1)} pips, `;
  return `${signed(by, price(Math.abs(by), digits))} (${inPips}${percent(from === 0 ? null : by / from)})`;
}

function positionShape(figure: Figure, [entry, stop, target]: readonly Pixel[], view: ShapeView): Partial<Shape> {
  const { points } = figure;
  const end = { x: target!.x, y: entry!.y };
  const zone = (edge: Pixel, color: ColorName): ShapeArea => ({
    corners: rectangle(entry!, { x: end.x, y: edge.y }),
    color,
    solid: true,
  });
  const border = (edge: Pixel, color: ColorName): ShapeLine => ({
    ...stroke(figure, { x: entry!.x, y: edge.y }, { x: end.x, y: edge.y }),
    color,
  });
  const [enter, cost, gain] = points.map((point) => point.price) as [number, number, number];
  const written = (value: number): string => price(value, view.digits);
  /** Size of a zone, seen from the entry. */
  const size = (level: number): string => moveText(enter, level, view);
  const ratio = `${setNumber(ratioOf(points).toFixed(2))} R`;
  const label = (edge: Pixel, color: ColorName, text: string, side: ShapeText['side']): ShapeText => ({
    // Inside the pane as long as the position is.
    at: { x: Math.min(Math.min(entry!.x, end.x) + 4, Math.max(4, view.width - text.length * LABEL_WIDTH)), y: edge.y },
    lines: [text],
    color,
    size: LABEL_SIZE,
    side,
    align: 'left',
  });
  const [up, down] = [target!.y < entry!.y ? 'above' : 'below', stop!.y < entry!.y ? 'above' : 'below'] as const;
  const name = isLong(figure) ? 'Long' : 'Short';
  const roomy = Math.abs(stop!.y - entry!.y) > LABEL_STEP + 4;
  return {
    areas: [zone(target!, 'up'), zone(stop!, 'down')],
    lines: [border(target!, 'up'), border(stop!, 'down'), border(entry!, figure.color)],
    texts: [
      label(target!, 'up', `Target ${written(gain)}  ${size(gain)}  ${ratio}`, up),
      label(stop!, 'down', `Stop ${written(cost)}  ${size(cost)}`, down),
      ...(roomy ? [label(entry!, 'text', `${name} ${written(enter)}  ${ratio}`, down)] : []),
    ],
  };
}

function freeText({ text, color, width }: Figure, at: Pixel): ShapeText {
  const size = TEXT_SIZES[width - 1]!;
  return { at, lines: wrapped(text), color, size, side: 'right', align: 'left' };
}

/** Lines of at most forty characters, broken at spaces if possible. */
export function wrapped(text: string): readonly string[] {
  const pattern = new RegExp(`\\S.{0,${CHARACTERS_PER_LINE - 1}}(?=\\s|$)|\\S{1,${CHARACTERS_PER_LINE}}`, 'gu');
  return (
    text
      .replaceAll(/\s+/gu, ' ')
      .match(pattern)
      ?.map((line) => line.trim()) ?? []
  );
}

function measureShape({ points }: Figure, [from, to]: readonly Pixel[], view: ShapeView): Partial<Shape> {
  const color: ColorName = points[1]!.price >= points[0]!.price ? 'accent' : 'down';
  const corners = rectangle(from!, to!);
  const middle = { x: (from!.x + to!.x) / 2, y: (from!.y + to!.y) / 2 };
  const line = (one: Pixel, other: Pixel): ShapeLine => ({ from: one, to: other, color, width: 1 });
  return {
    areas: [{ corners, color, solid: true }],
    lines: [
      line({ x: middle.x, y: from!.y }, { x: middle.x, y: to!.y }),
      line({ x: from!.x, y: middle.y }, { x: to!.x, y: middle.y }),
    ],
    texts: [
      {
        at: { x: middle.x, y: to!.y },
        lines: measured(points[0]!, points[1]!, view),
        color: 'text',
        size: 12,
        side: to!.y <= from!.y ? 'above' : 'below',
        align: 'center',
      },
    ],
  };
}

/** Change of price, in pips and percent, bars and time. */
export function measured(
  from: Drawing['points'][number],
  to: Drawing['points'][number],
  view: Pick<ShapeView, 'digits' | 'pip' | 'barsBetween'>,
): readonly string[] {
  const bars = view.barsBetween(from.time, to.time);
  const span = duration(Math.abs(to.time - from.time) / 1_000);
  return [
    moveText(from.price, to.price, view),
    `${plural(Math.abs(bars), 'bar', signed(bars, setNumber(String(Math.abs(bars)))))}, ${to.time < from.time ? '−' : ''}${span}`,
  ];
}
