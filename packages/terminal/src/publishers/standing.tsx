// The status of a publisher with its reason and warnings, and what a status proves.
import type { TrackRecord } from '@tickwire/client';
import { GuideLink } from '../ui/button.tsx';
import { statusText, warningLabel } from './figures.ts';

const TONES: Readonly<Record<TrackRecord['status'], string>> = {
  ranked: 'chip good',
  unproven: 'chip',
  losing: 'chip bad',
  inactive: 'chip',
};

/** The status and the warnings as labels. */
export function StatusLabels({ of }: { readonly of: TrackRecord }) {
  return (
    <span class="chips">
      <span class={TONES[of.status]}>{statusText(of)}</span>
      {of.warnings.map(({ code, text }) => (
        <span key={code} class="chip caution" title={text}>
          {`⚠ ${warningLabel(code)}`}
        </span>
      ))}
    </span>
  );
}

/** One sentence for everybody. */
export const EVIDENCE_EXPLAINED =
  'Evidence is an e-value. It is 1 (none) when the trial ends and grows with results above 0 R. A rank needs evidence of 20 times the number of the trial: without an edge, the chance of ever reaching it is at most 5 % divided by that number.';

const PROVED = [
  'A publisher without an edge is ever ranked with a probability of at most 5 % divided by its number; of any m publishers whose trials end within 90 days, on average at most 0.05 · (1 + ln m) without an edge are ever ranked (0.17 of 10, 0.28 of 100, 0.40 of 1,000), whatever accounts anyone opens, copies or gives up.',
  'This holds whenever you look, and for correlated decisions too: decisions that are open together are staked from the same capital.',
];
const NOT_PROVED = [
  'That the future is like the past: an edge may have ended.',
  'That a large loss cannot come. Losses of up to target + 2 R on every open decision at once are covered. Beyond that, the guarantee assumes that prices jump as far for as against. Rare one-way crashes are not covered; see “far stops” and “many open”.',
  'That open signals are separate risks: for a follower, correlated ones are one bet; see the exposure.',
  'That a publisher is one person with one account. Somebody with many accounts has many attempts, each with the threshold of its own number.',
  'What you would have earned: costs beyond the spread, delay and your position size are not part of R.',
];

export function Limits() {
  return (
    <details class="limits">
      <summary>What a rank proves, and what it does not</summary>
      <p>Proved, if the assumptions below hold:</p>
      <ul>
        {PROVED.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p>Assumed, or not proved:</p>
      <ul>
        {NOT_PROVED.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p>
        All rules and assumptions are in the guide:{' '}
        <GuideLink href="/guide/reference/signals#track-records">Track records</GuideLink>. For an introduction, read{' '}
        <GuideLink href="/guide/concepts/decisions">Decisions</GuideLink>.
      </p>
    </details>
  );
}
