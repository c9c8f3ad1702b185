// The checks that this browser makes: loads all records of the publisher, recomputes them, and shows progress and results.
import type { PublisherDetail } from '@tickwire/client';
import { useRef, useState } from 'preact/hooks';
import type { CheckOutcome, CheckResult } from '../signals/evidence/check-result.ts';
import { SignalPanel } from '../signals/signal-parts.tsx';
import { Button } from '../ui/button.tsx';
import { useAbortEffect } from '../ui/hooks.ts';
import { checkRecord } from './check-record.ts';
import type { PublicSignal } from './history.ts';
import { type LoadedRecords, loadRecords, type PublicApi, publicApi } from './public-api.ts';

/** Longer records are checked on request. */
const AUTOMATIC = 2_000;
/** A signal may be published or closed while the records are loaded. Then they are loaded again. */
const MAX_LOADS = 3;

const MARKS: Readonly<Record<CheckOutcome, string>> = { passed: '✓', failed: '✗', unavailable: '○' };
const WORDS: Readonly<Record<CheckOutcome, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  unavailable: 'Not available',
};
const LIMITS = [
  'That the prices are those of the market: they are from the sources named in the records, which the operator selects.',
  'That no earlier price decided a signal: that takes every tick in between. “tickwire verify” checks the sealed tape.',
  'That an unsigned signal is of its publisher, and that a signed one has the key that was registered: “tickwire verify” checks the key.',
  'That no signal is missing: only the whole log shows that, compared with signed heads that others have kept.',
  'The rank: it compares this record with those of all publishers. Results of open signals depend on current prices.',
  'That this page is honest: it comes from the same service. “tickwire verify --url” is an independent check.',
  'Skill: the e-value assumes that losses beyond −5 R are negligible, and that a publisher is one person with one account.',
  'Future results. Costs beyond the spread, delay and position size of a follower are not part of R.',
];

interface Props {
  readonly name: string;
  readonly record: PublisherDetail;
  /** Called with the record that was compared. */
  readonly onRecord: (record: PublisherDetail) => void;
  readonly onLoaded: (signals: readonly PublicSignal[]) => void;
}

interface Progress {
  readonly text: string;
  readonly done: number;
  readonly all: number;
}

export function ChecksPanel({ name, record, onRecord, onLoaded }: Props) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [verdict, setVerdict] = useState<Omit<CheckResult, 'title'> | null>(null);
  const [results, setResults] = useState<readonly CheckResult[]>([]);
  const end = useRef<AbortSignal>(AbortSignal.abort());

  const check = async (signal: AbortSignal): Promise<void> => {
    const { subtle } = crypto;
    if (subtle === undefined) {
      setVerdict({ outcome: 'unavailable', text: 'Browsers compute hashes on pages with HTTPS only.' });
      return;
    }
    const show = (text: string, done: number, all: number): void => setProgress({ text, done, all });
    const api = publicApi(name, signal);
    const loaded = await loadConsistent(api, record, (done, all) => show('Loading signals', done, all));
    onRecord(loaded.shown);
    onLoaded(loaded.signals);
    const checks = await checkRecord(loaded, subtle, (done, all) => show('Checking records', done, all));
    signal.throwIfAborted();
    setResults(checks.results);
    const failed = checks.results.some(({ outcome }) => outcome === 'failed');
    setVerdict({
      outcome: failed ? 'failed' : 'passed',
      text: `${checks.recomputed} of ${checks.closed} results recomputed in this browser${failed ? '. Not everything agrees.' : ', without a difference.'}`,
    });
  };
  const start = (signal: AbortSignal): void => {
    setVerdict(null);
    setProgress({ text: 'Loading signals', done: 0, all: record.signals });
    check(signal)
      .catch(() => {
        if (!signal.aborted)
          setVerdict({ outcome: 'unavailable', text: 'The records could not be loaded completely. Try again later.' });
      })
      .finally(() => !signal.aborted && setProgress(null));
  };
  useAbortEffect((signal) => {
    end.current = signal;
    if (record.signals <= AUTOMATIC) start(signal);
  }, []);

  return (
    <SignalPanel title="Checked in your browser">
      {progress ? (
        <label class="part">
          <span class="hint">{`${progress.text}: ${progress.done} of ${progress.all}`}</span>
          <progress value={progress.done} max={Math.max(1, progress.all)} />
        </label>
      ) : (
        <div class="actions">
          <Button onClick={() => start(end.current)}>
            {verdict === null ? `Check ${record.signals} signals` : 'Check again'}
          </Button>
        </div>
      )}
      <p class="verdict" role="status" data-outcome={verdict?.outcome}>
        {verdict?.text}
      </p>
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
      <details class="limits" open>
        <summary>What this does not prove</summary>
        <ul>
          {LIMITS.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </details>
    </SignalPanel>
  );
}

/** Records and figures of the same state of the log. */
async function loadConsistent(
  api: PublicApi,
  first: PublisherDetail,
  onProgress: (done: number, all: number) => void,
): Promise<LoadedRecords & { readonly shown: PublisherDetail }> {
  let before = first;
  for (let loads = 1; ; loads++) {
    const loaded = await loadRecords(api, (done) => onProgress(done, Math.max(done, before.signals)));
    const { record: shown } = await api.publisher();
    const isSame = shown.signals === before.signals && shown.closed === before.closed && shown.voided === before.voided;
    if (isSame) return { ...loaded, shown };
    if (loads === MAX_LOADS) return { ...loaded, shown, complete: false };
    before = shown;
  }
}
