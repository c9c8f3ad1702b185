// Compares the figures of two sides by name. A ratio is this checkout / the other commit in the same round.
import { median, range, ratios } from '../measure/statistics.ts';
import type { Figure, ReportSection } from '../results.ts';
import { OURS } from '../scenarios/scenario.ts';

/** The sections of both sides, measured one after the other. */
export interface ComparedRound {
  readonly present: readonly ReportSection[];
  readonly other: readonly ReportSection[];
}

export interface ComparedFigure {
  readonly section: string;
  readonly contender: string;
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** One value per round. */
  readonly present: readonly number[];
  readonly other: readonly number[];
  readonly ratios: readonly number[];
  /** Median of the ratios. */
  readonly ratio: number;
  /** How much worse this checkout is by that ratio: a rate so much lower, a time so much higher. Negative if it is better. */
  readonly lossPercent: number;
  /** Whether all rounds are on the same side of 1. */
  readonly isClear: boolean;
}

export interface Comparison {
  readonly figures: readonly ComparedFigure[];
  /** Figures that could not be compared, with the reason. */
  readonly notCompared: readonly string[];
}

/** Rows that measure no code of the product. */
const BASELINES = new Set(['Bun with an open port']);
/** The reciprocal of a rate in the same row. */
const RECIPROCALS = new Set(['per tick', 'CPU time', 'taken']);
/** Measures the load generator. */
const LOAD_FIGURES = new Set(['feeder late, p99']);
const LOWER_IS_BETTER = new Set(['ns', 'µs', 'ms', 's', 'KB', 'MB', '% of a core']);
const RATE = /\/s$| per (server )?CPU second$/;

/** `null` if a figure is a count, a share or a ratio, which say how the run went and not which side is better. */
export function betterOf({ name, unit }: Pick<Figure, 'name' | 'unit'>): 'higher' | 'lower' | null {
  if (RECIPROCALS.has(name) || LOAD_FIGURES.has(name)) return null;
  if (RATE.test(name) || unit === '/s') return 'higher';
  return LOWER_IS_BETTER.has(unit) || name.startsWith('bytes ') ? 'lower' : null;
}

/** Key: section, contender and name with its unit. */
type Figures = ReadonlyMap<string, ProductFigure>;

interface ProductFigure extends Pick<ComparedFigure, 'section' | 'contender' | 'name' | 'unit' | 'better'> {
  /** Median of the rounds within a turn; `NaN` if there are none. */
  readonly value: number;
}

/** Figures of the product: of Tickwire where a section has other contenders, otherwise of all rows but the baselines. */
function productFigures(sections: readonly ReportSection[]): Figures {
  const found = sections.flatMap(({ title, lines }) => {
    const ours = lines.filter(({ contender }) => contender === OURS);
    const rows = ours.length > 0 ? ours : lines.filter(({ contender }) => !BASELINES.has(contender));
    return rows.flatMap(({ contender, figures }) =>
      figures.flatMap(({ name, unit, values }): ProductFigure[] => {
        const better = betterOf({ name, unit });
        return better === null ? [] : [{ section: title, contender, name, unit, better, value: median(values) }];
      }),
    );
  });
  return new Map(found.map((figure) => [labelOf(figure), figure]));
}

export const labelOf = ({ section, contender, name, unit }: Omit<ProductFigure, 'better' | 'value'>): string =>
  `${section}: ${contender}: ${name}${unit === '' ? '' : ` (${unit})`}`;

export function compareRounds(rounds: readonly ComparedRound[]): Comparison {
  const sides = rounds.map(({ present, other }) => [productFigures(present), productFigures(other)] as const);
  const figures: ComparedFigure[] = [];
  const notCompared: string[] = [];
  const all = new Map(sides.flatMap(([present, other]) => [...present, ...other]));
  for (const [label, { value: _, ...figure }] of all) {
    const pairs = sides.map(([present, other]) => [present.get(label)?.value, other.get(label)?.value] as const);
    const whole = pairs.filter((pair): pair is readonly [number, number] => pair.every(isPositive));
    if (whole.length === rounds.length) figures.push(compareFigure(figure, whole));
    else notCompared.push(`${label}: ${whyNot(pairs)}`);
  }
  return { figures, notCompared };
}

/** There is no ratio of zero. */
const isPositive = (value: number | undefined): boolean => value !== undefined && value > 0;

function whyNot(pairs: readonly (readonly [present: number | undefined, other: number | undefined])[]): string {
  if (pairs.every(([present]) => present === undefined)) return 'only the other commit has it';
  if (pairs.every(([, other]) => other === undefined)) return 'only this checkout has it';
  return 'not above zero on both sides in every round';
}

function compareFigure(
  figure: Omit<ProductFigure, 'value'>,
  pairs: readonly (readonly [present: number, other: number])[],
): ComparedFigure {
  const [present, other] = [pairs.map(([value]) => value), pairs.map(([, value]) => value)];
  const found = ratios(present, other);
  const ratio = median(found);
  const [low, high] = range(found);
  return {
    ...figure,
    present,
    other,
    ratios: found,
    ratio,
    lossPercent: 100 * (figure.better === 'higher' ? 1 - ratio : ratio - 1),
    isClear: low > 1 || high < 1,
  };
}
