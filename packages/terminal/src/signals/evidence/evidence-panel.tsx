// The evidence of a signal, checked in this page on request: the result of each check, and what is not checked here.
import { useSignal } from '@preact/signals';
import type { LogRecord, PublishedRecord, SignalDetail } from '@tickwire/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TerminalServices } from '../../services/terminal-services.ts';
import { Button, GuideLink } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copied-text.tsx';
import { explain } from '../../ui/failure.ts';
import { useAbortEffect } from '../../ui/hooks.ts';
import { recordText } from '../record-text.ts';
import { CheckList } from './check-list.tsx';
import type { ReadLog } from './check-log.ts';
import type { CheckOutcome, CheckResult } from './check-result.ts';
import { checkSavedHeads, forgetHeads, saveHead } from './saved-heads.ts';

const LIMITS = [
  'That the prices are correct: they come from the feed named in the records.',
  'That the service has only one log: only heads saved elsewhere prove it. This browser saves one a day.',
  'That this page is honest: it comes from the same service. The command above, on your own computer, does not.',
];
/** Above the panel after scrolling to it. */
const MARGIN_PX = 14;

interface Props extends Pick<TerminalServices, 'client' | 'notifier'> {
  readonly signal: SignalDetail;
  /** Changes with every navigation to the page: with `#evidence` in the address, the checks run again. */
  readonly visit: number;
}

export function EvidencePanel({ client, notifier, signal, visit }: Props) {
  const panel = useRef<HTMLElement>(null);
  const end = useRef<AbortSignal>(AbortSignal.abort());
  const results = useSignal<readonly CheckResult[]>([]);
  const verdict = useSignal<Omit<CheckResult, 'title'>>({ outcome: 'unavailable', text: '' });
  const running = useSignal(false);
  const [forgotten, setForgotten] = useState(false);
  const show = (outcome: CheckOutcome, text: string): void => {
    verdict.value = { outcome, text };
  };

  const checkAll = async (subtle: SubtleCrypto, call: { readonly signal: AbortSignal }): Promise<void> => {
    const [{ checkChain, checkHead, checkProof, checkPublisher, recordHash }, proof] = await Promise.all([
      import('./checks.ts'),
      client.signalProof(signal.id, call),
    ]);
    const readLog: ReadLog = (after, limit) => client.signalLog({ after, limit }, call);
    const add = (...more: readonly CheckResult[]): void => {
      call.signal.throwIfAborted();
      results.value = [...results.value, ...more];
    };
    const describe = (record: LogRecord): string =>
      recordText(record, (proof.published.record as PublishedRecord).instrument.digits);
    add(...(await checkProof(proof, signal, subtle, describe)));
    add(await checkPublisher(proof, readLog, subtle));
    const onProgress = (done: number, all: number): void =>
      show('unavailable', `Checking the log: ${done} of ${all} records…`);
    add(await checkChain(proof, readLog, subtle, onProgress));
    add(await checkHead(proof.head, readLog, subtle));
    add(await checkSavedHeads(proof.head, localStorage, readLog, (record) => recordHash(record, subtle)));
    const count = (outcome: CheckOutcome): number => results.value.filter((each) => each.outcome === outcome).length;
    const [all, failed, unavailable] = [results.value.length, count('failed'), count('unavailable')];
    const rest = unavailable === 0 ? '' : `; ${unavailable} not available yet`;
    if (failed > 0) {
      show('failed', `${failed} of ${all} checks failed${rest}. Do not trust this result.`);
      return;
    }
    show('passed', `${count('passed')} of ${all} checks passed${rest}.`);
    // The head of a log that failed is no reference for later.
    saveHead(localStorage, proof.head);
  };
  const check = async (): Promise<void> => {
    // Browsers offer it only over https and on localhost.
    const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
    if (subtle === undefined) {
      show('unavailable', 'Browsers compute hashes only for pages loaded over https. Use the command below.');
      return;
    }
    if (running.value) return;
    running.value = true;
    results.value = [];
    show('unavailable', 'Loading the records…');
    const call = { signal: end.current };
    try {
      await checkAll(subtle, call);
    } catch (error) {
      if (call.signal.aborted) return;
      show('unavailable', `The records could not be loaded. ${explain(error).general}`);
      notifier.reportError(error, 'Evidence');
    } finally {
      running.value = false;
    }
  };

  useAbortEffect(
    (current) => {
      end.current = current;
      results.value = [];
      show('unavailable', '');
    },
    [signal.status],
  );
  useEffect(() => {
    const element = panel.current!;
    const page = element.closest('.signals-page');
    if (location.hash !== '#evidence' || !page) return;
    // Not `scrollIntoView`, which would move the frame of the page as well.
    page.scrollTop += element.getBoundingClientRect().top - page.getBoundingClientRect().top - MARGIN_PX;
    element.focus({ preventScroll: true });
    void check();
  }, [visit]);

  const { outcome, text } = verdict.value;
  const verify = `TICKWIRE_API_KEY=tw_… tickwire verify --url ${location.origin}`;
  return (
    <section class="signal-panel evidence" id="evidence" tabIndex={-1} ref={panel}>
      <h2>Evidence</h2>
      <p class="hint">
        {signal.status === 'closed'
          ? 'The publication, the closing and the prices that decided them are in a hash-chained log. This page can load those records and check that nothing was changed later.'
          : 'The publication is in a hash-chained log, in which a later change shows. This page can load the record and check it.'}
      </p>
      <div class="actions">
        <Button tone="primary" disabled={running.value} onClick={() => void check()}>
          {results.value.length === 0 || running.value ? 'Check it in this browser' : 'Check again'}
        </Button>
      </div>
      <p class="verdict" role="status" data-outcome={outcome}>
        {text}
      </p>
      <CheckList results={results.value} />
      <h3>Not checked here</h3>
      <p class="hint">
        Whether the ticks lead to this {signal.status === 'closed' ? 'result' : 'state'} under the{' '}
        <GuideLink href="/guide/reference/signals#judging">rules</GuideLink>. The service has judged them. This command
        judges them again, on every tick of the tape; so does the{' '}
        <GuideLink href="/guide/reference/signals#verification">Python package</GuideLink>.
      </p>
      <CopyLine text={verify} />
      <details class="limits">
        <summary>What no check on this page can prove</summary>
        <ul>
          {LIMITS.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
        <Button
          tone="linklike"
          disabled={forgotten}
          onClick={() => {
            forgetHeads(localStorage);
            setForgotten(true);
          }}
        >
          {forgotten ? 'Saved heads deleted' : 'Delete the heads saved in this browser'}
        </Button>
      </details>
    </section>
  );
}
