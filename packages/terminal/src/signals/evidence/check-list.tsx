// The results of checks as a list: a mark, the title, and what was found.
import type { CheckOutcome, CheckResult } from './check-result.ts';

const MARKS: Readonly<Record<CheckOutcome, string>> = { passed: '✓', failed: '✗', unavailable: '○' };
const WORDS: Readonly<Record<CheckOutcome, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  unavailable: 'Not available',
};

export const CheckList = ({ results }: { readonly results: readonly CheckResult[] }) => (
  <ol class="steps">
    {results.map(({ title, outcome, text }) => (
      <li key={title} data-outcome={outcome}>
        <span class="step-mark" aria-hidden="true">
          {MARKS[outcome]}
        </span>
        <div>
          <b>{title}</b>
          <span class="unseen">{`: ${WORDS[outcome]}. `}</span>
          <p>{text}</p>
        </div>
      </li>
    ))}
  </ol>
);
