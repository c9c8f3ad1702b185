// Lines of the summary that a command prints at its end.
import { iso } from '@tickwire/contract';
import type { LongestGaps } from '@tickwire/engine';
import { formatCount, formatDuration } from './progress.ts';

const MAX_LISTED_GAPS = 5;

export const summaryLine = (name: string, text: string): string => `  ${name.padEnd(10)} ${text}`;

export const gapLines = ({ count, longest }: Pick<LongestGaps, 'count' | 'longest'>): string[] => [
  summaryLine(
    'gaps',
    count === 0 ? 'none while the market was open' : `${formatCount(count)} while the market was open, the longest:`,
  ),
  ...longest
    .slice(0, MAX_LISTED_GAPS)
    .map(({ from, to, openMs }) => `    ${iso(from)} to ${iso(to)}  ${formatDuration(openMs)}`),
];
