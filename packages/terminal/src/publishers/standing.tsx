// The status of a publisher with its reason and warnings, and what a status proves.
import type { TrackRecord } from '@tickwire/client';
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
  'The e-value starts at 1 and grows with results above 0 R: for a publisher without an edge, the chance that it ever reaches 20 is at most 5 %.';

const PROVED = [
  'Without an edge, a publisher ever reaches an e-value of 20 with a probability of at most 5 %, no matter when one looks or when the publisher stops.',
  'Of the publishers whose evidence passes, at most 5 % are expected to have no edge.',
];
const NOT_PROVED = [
  'That the future is like the past: an edge may have ended.',
  'That a large loss cannot come. One that has not happened yet is not in the record; see “far stops”.',
  'That decisions are independent. Correlated instruments at the same time are several decisions and move the evidence faster; see the exposure.',
  'That a publisher is one person with one account.',
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
        All rules and assumptions are in docs/signals.md, “Track records”. The <a href="/docs">API reference</a> has
        every figure.
      </p>
    </details>
  );
}
