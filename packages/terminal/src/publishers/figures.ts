// The figures of a track record in words.
import type { PublisherDetail, TrackRecord } from '@tickwire/client';
import { inR } from '../signals/labels.ts';
import { NO_VALUE, setNumber } from '../ui/format.ts';
import { dateText } from '../ui/relative-time.ts';

/** 95 % of a normal distribution lie within this many standard deviations. */
const Z95 = 1.959964;

export const asPercent = (fraction: number | null, decimals = 0): string =>
  fraction === null ? NO_VALUE : `${setNumber((fraction * 100).toFixed(decimals))} %`;

/** With two decimals and without a sign, such as a drawdown or a profit factor. */
export const twoDecimals = (value: number): string => setNumber(value.toFixed(2));

export function winRate({
  win_rate,
  win_rate_low,
  win_rate_high,
}: Pick<TrackRecord, 'win_rate' | 'win_rate_low' | 'win_rate_high'>): string {
  if (win_rate === null) return NO_VALUE;
  return `${asPercent(win_rate)} (${asPercent(win_rate_low)} to ${asPercent(win_rate_high)})`;
}

/** Half the width of the 95 % interval of the mean, derived from the Sharpe ratio; `null` if that is 0 or not known. */
export function meanMargin({ average_r, sharpe, ranked_signals }: TrackRecord): number | null {
  if (average_r === null || sharpe === null || sharpe === 0 || ranked_signals < 2) return null;
  return (Z95 * Math.abs(average_r / sharpe)) / Math.sqrt(ranked_signals);
}

export function meanR(record: TrackRecord): string {
  const margin = meanMargin(record);
  return margin === null ? inR(record.average_r) : `${inR(record.average_r)} ± ${twoDecimals(margin)}`;
}

/** The largest fall, closed or now with open signals. */
export const maxDrawdown = ({
  max_drawdown_r,
  drawdown_r,
}: Pick<TrackRecord, 'max_drawdown_r' | 'drawdown_r'>): string =>
  `${twoDecimals(Math.max(max_drawdown_r, drawdown_r))} R`;

/** The e-value: of the mixture of bets, which is 1 at the start: three significant digits are enough to compare. */
export function eValue(value: number): string {
  if (value >= 1e6) return `${setNumber(String(Number((value / 1e6).toPrecision(3))))} M`;
  if (value >= 100) return setNumber(value.toFixed(0));
  return value > 0 && value < 0.01 ? `< ${setNumber('0.01')}` : setNumber(String(Number(value.toPrecision(3))));
}

/** The status in words, with the rank. */
export const statusText = ({ status, rank }: Pick<TrackRecord, 'status' | 'rank'>): string =>
  rank === null ? status : `${status} ${rank}`;

const CONDITIONS: Readonly<Record<Exclude<TrackRecord['missing'][number]['what'], 'e_value' | 'sum_r'>, string>> = {
  decisions: 'decisions',
  days: 'days with a decision',
  span_days: 'days from the first to the last',
  recent_decisions: 'decisions in the last 12 months',
};

/** What a rank still requires: `4 of 30 decisions`, `evidence 1.06 of 20 (1 = none)`. */
export const missingTexts = ({ missing }: Pick<TrackRecord, 'missing'>): readonly string[] =>
  missing.map(({ what, have, need }) => {
    const share = `${eValue(have)} of ${eValue(need)}`;
    if (what === 'sum_r') return `a sum of rank R above 0 (now ${inR(have)})`;
    return what === 'e_value' ? `evidence ${share} (1 = none)` : `${share} ${CONDITIONS[what]}`;
  });

/** The way to a rank, as labels with their values: the conditions of the trial, then the evidence since. */
export function progressFacts(
  { progress, status, e_value }: Pick<PublisherDetail, 'progress' | 'status' | 'e_value'>,
  simulated: boolean,
): readonly (readonly [string, string])[] {
  const { trial_ended_at, number, decisions, days, sum_r, need, further } = progress;
  if (trial_ended_at === null)
    return [
      ['Trial: complete decisions', `${decisions} of 30`],
      ['Trial: days with a decision', simulated ? `${days}, not required` : `${days} of 20`],
      ['Trial: sum of rank R', `${inR(sum_r)}, must be above 0`],
      ['For a rank', `evidence of ${eValue(need)}, if the trial ended now`],
    ];
  const pace =
    further === null
      ? 'no estimate yet'
      : `about ${further} more at the present pace; usually ${Math.ceil(further / 3)} to ${2 * further}`;
  return [
    ['Trial', `ended ${dateText(Date.parse(trial_ended_at))}, number ${number}`],
    ['Decisions since', String(decisions)],
    ['Evidence', `${eValue(e_value)} of ${eValue(need)} needed (1 = none)`],
    ...(status === 'ranked' ? [] : [['Decisions to a rank', pace] as const]),
  ];
}

/** What a rank requires besides. */
export const otherMissingTexts = ({
  missing,
  progress,
}: Pick<PublisherDetail, 'missing' | 'progress'>): readonly string[] =>
  missingTexts({
    missing: missing.filter(({ what }) =>
      progress.number === null ? what === 'span_days' || what === 'recent_decisions' : what !== 'e_value',
    ),
  });

const WARNINGS: Readonly<Record<TrackRecord['warnings'][number]['code'], string>> = {
  far_stops: 'far stops',
  closed_by_hand: 'closed by hand',
  withdrawn: 'withdrawn entries',
  short_holding: 'under a minute',
  one_symbol: 'one instrument',
  untrusted_prices: 'untrusted prices',
  many_open: 'many open',
  copied: 'copied signals',
};

/** Said wherever a status is shown in simulated markets. */
export const TIME_WAIVED = 'These are simulated markets: the time conditions (20 days, 8 weeks) are waived.';

/** A warning as a label of two or three words. */
export const warningLabel = (code: TrackRecord['warnings'][number]['code']): string => WARNINGS[code] ?? code;

export function holdingTime(seconds: number | null): string {
  if (seconds === null) return NO_VALUE;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${setNumber((seconds / 3_600).toFixed(1))} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
