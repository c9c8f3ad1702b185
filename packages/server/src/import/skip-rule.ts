// An import never stores less than it was asked to without saying so: if too many rows cannot be used, nothing is stored.
import { formatCount } from '../ops/progress.ts';
import { ImportError } from './import-error.ts';
import { type ImportReport, isFault, SKIP_REASONS } from './import-report.ts';

/** A single bad line among a thousand is skipped and reported. */
const MAX_SKIPPED_SHARE = 0.001;
const LONGEST_RUN = 1;

/** Throws if the rows that cannot be used are more than a few single ones. `digits`: those of the instrument. */
export function requireUsableRows(report: ImportReport, symbol: string, digits: number): void {
  const finer = report.skipped.get('finer_than_digits');
  if (finer) {
    const { file, line, text } = finer.examples[0]!;
    throw new ImportError(
      'finer_than_digits',
      `nothing was stored: ${formatCount(finer.count)} prices have more than the ${digits} decimals of ${symbol}, such as ${JSON.stringify(text)} (${file}, line ${line}). --round rounds them; --digits N imports them with N decimals`,
    );
  }
  const skipped = report.faultyLines;
  const share = skipped / (skipped + report.rows);
  if (skipped === 0 || (share <= MAX_SKIPPED_SHARE && report.longestRun <= LONGEST_RUN)) return;
  const reasons = [...report.skipped]
    .filter(([reason]) => isFault(reason))
    .sort((a, b) => b[1].count - a[1].count)
    .map(([reason, { count, examples }]) => {
      const { file, line, text } = examples[0]!;
      return `${formatCount(count)} × ${SKIP_REASONS[reason]} (${file}, line ${line}: ${JSON.stringify(text)})`;
    });
  throw new ImportError(
    'skipped_rows',
    `nothing was stored: ${formatCount(skipped)} of ${formatCount(skipped + report.rows)} rows (${percent(share)}) cannot be used: ${reasons.join('; ')}. Correct the file or the options; --allow-skipped imports the other rows`,
  );
}

export const percent = (share: number): string =>
  share >= 0.9995 && share < 1
    ? '99.9 %'
    : share > 0 && share < 0.0005
      ? '<0.1 %'
      : `${Number((share * 100).toFixed(1))} %`;
