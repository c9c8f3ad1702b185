// The checks that this browser makes: loads all records of the publisher, checks them, and shows progress and results.
import type { PublicSignal, PublisherDetail } from '@tickwire/client';
import { useRef, useState } from 'preact/hooks';
import { CheckList } from '../signals/evidence/check-list.tsx';
import type { CheckResult } from '../signals/evidence/check-result.ts';
import { SignalPanel } from '../signals/signal-parts.tsx';
import { Button, GuideLink } from '../ui/button.tsx';
import { useAbortEffect } from '../ui/hooks.ts';
import { checkRecord } from './check-record.ts';
import { type LoadedRecords, loadRecords, type PublicApi, publicApi } from './public-api.ts';

/** Longer records are checked on request. */
const AUTOMATIC = 2_000;
/** A signal may be published or closed while the records are loaded. Then they are loaded again. */
const MAX_LOADS = 3;

const LIMITS = [
  'That the prices are market prices: they come from the sources named in the records, which the operator selects.',
  'That an unsigned signal comes from its publisher, and that a signed one has the registered key: “tickwire verify” checks the key.',
  'That no signal is missing: only the whole log shows that, compared with signed heads that others have kept.',
  'That this page is honest: it comes from the same service. “tickwire verify --url” on your own computer does not.',
  'Skill: a rank does not cover rare one-way crashes, and somebody with many accounts has many attempts.',
  'The number of the trial, and so the evidence for a rank: it follows from the trials of all publishers in the whole log.',
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
    const checked = await checkRecord(loaded, subtle, (done, all) => show('Checking records', done, all));
    signal.throwIfAborted();
    setResults(checked);
    const failed = checked.some(({ outcome }) => outcome === 'failed');
    const records = loaded.signals.reduce((sum, each) => sum + each.records.length, 0);
    setVerdict({
      outcome: failed ? 'failed' : 'passed',
      text: `${records} log records of ${loaded.signals.length} signals checked in this browser${failed ? '. Some checks failed.' : ': no faults found.'}`,
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
      <CheckList results={results} />
      <h3>Not checked here</h3>
      <p class="hint">
        Whether the ticks lead to the results under the{' '}
        <GuideLink href="/guide/reference/signals#judging">rules</GuideLink>, and whether the figures follow from the
        results. The service has judged and counted them. “tickwire verify” and the Python package judge every signal
        again, and the Python package also recomputes the figures: see{' '}
        <GuideLink href="/guide/reference/signals#verification">verification</GuideLink>.
      </p>
      <details class="limits" open>
        <summary>What no check on this page can prove</summary>
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
