// Invented values of simulated releases: what a kind of release measures, how much it matters, and its value on a day.
import type { CalendarImpact } from '@tickwire/contract';
import { gaussian, type Noise } from '../../market/feeds/sim/noise.ts';

interface ReleaseKind {
  readonly impact: CalendarImpact;
  readonly mean: number;
  readonly spread: number;
  readonly digits: number;
  readonly unit: string | null;
}

const kind = (
  impact: CalendarImpact,
  mean: number,
  spread: number,
  digits: number,
  unit: string | null,
): ReleaseKind => ({ impact, mean, spread, digits, unit });

/** By the names of news/sim/release-calendar.ts. */
const KINDS: Readonly<Record<string, ReleaseKind>> = {
  'inflation report': kind('high', 2.4, 0.3, 1, '%'),
  'jobs report': kind('high', 160, 60, 0, 'K'),
  'retail sales figures': kind('medium', 0.3, 0.5, 1, '%'),
  'factory output data': kind('medium', 0.2, 0.6, 1, '%'),
  'consumer confidence survey': kind('medium', 98, 5, 1, null),
  'trade balance figures': kind('low', -12, 6, 1, 'B'),
  'home sales data': kind('low', 4.1, 0.2, 2, 'M'),
  'economic growth estimate': kind('high', 1.8, 0.7, 1, '%'),
  'services PMI survey': kind('medium', 52, 1.8, 1, null),
  'manufacturing PMI survey': kind('medium', 50, 1.8, 1, null),
  'producer price index': kind('medium', 0.2, 0.3, 1, '%'),
  'unemployment figures': kind('medium', 4.3, 0.2, 1, '%'),
  'wage growth data': kind('low', 3.6, 0.3, 1, '%'),
};
const OTHER = kind('low', 50, 5, 1, null);

const kindOf = (name: string): ReleaseKind => KINDS[name] ?? OTHER;
export const impactOf = (name: string): CalendarImpact => kindOf(name).impact;
export const unitOf = (name: string): string | null => kindOf(name).unit;

export interface ReleaseValues {
  readonly forecast: string;
  readonly actual: string;
  /** The actual value as it is revised later, in the releases that are. */
  readonly revised: string;
}

/** The values of a release on a day (days since 1970). */
export function valuesOf(noise: Noise, country: string, name: string, day: number): ReleaseValues {
  const { mean, spread, digits } = kindOf(name);
  const values = noise.named(`${country} ${name}`);
  const { a, b, c, d } = values.draw(day);
  const actual = mean + spread * gaussian(a, b);
  const step = 10 ** -digits;
  const text = (value: number): string => {
    const rounded = value.toFixed(digits);
    return Number(rounded) === 0 ? (0).toFixed(digits) : rounded;
  };
  const change = (values.draw(day, 1).a & 1) === 0 ? step : -step;
  return {
    forecast: text(actual - 0.5 * spread * gaussian(c, d)),
    actual: text(actual),
    revised: text(Number(text(actual)) + change),
  };
}
