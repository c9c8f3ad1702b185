// The evidence of a signal, recomputed in this page on a click: each step with what came of it, and what all of it cannot prove.
import type { SignalDetail } from '@tickwire/client';
import { copyButton } from '../../copying.ts';
import { box, button, make, write } from '../../elements.ts';
import { explain } from '../../forms/failure.ts';
import type { Workspace } from '../../workspace.ts';
import { checkChain, checkHead, type ReadLog } from './check-log.ts';
import { checkProof } from './check-proof.ts';
import { checkKeptHeads, forgetHeads, keepHead } from './kept-heads.ts';
import type { Outcome, Step } from './step.ts';

const MARKS: Readonly<Record<Outcome, string>> = { right: '✓', wrong: '✗', open: '○' };
const WORDS: Readonly<Record<Outcome, string>> = { right: 'Right', wrong: 'Wrong', open: 'Not checked' };
const LIMITS = [
  'That no earlier price had decided it already: only the ticks in between tell. “tickwire verify” looks at the sealed tape.',
  'That the prices themselves are right: they are those of the feed that the records name.',
  'That the service never wrote another log: only heads that were kept elsewhere show it. This browser keeps one a day.',
  'That this page is honest: it came from the same service. The command below is the independent way.',
];

export class EvidencePanel {
  readonly element = make('section', 'signal-panel evidence');
  readonly #workspace: Workspace;
  readonly #signal: SignalDetail;
  readonly #end: AbortSignal;
  readonly #steps = make('ol', 'steps');
  readonly #verdict = make('p', 'verdict');
  readonly #limits = limits();
  readonly #run: HTMLButtonElement;
  #running = false;

  constructor(workspace: Workspace, signal: SignalDetail, end: AbortSignal) {
    this.#workspace = workspace;
    this.#signal = signal;
    this.#end = end;
    this.#run = button('Check it in this browser', 'primary', () => void this.check());
    this.#verdict.setAttribute('role', 'status');
    this.element.id = 'evidence';
    this.element.tabIndex = -1;
    const intro =
      signal.status === 'closed'
        ? 'This result is not anybody’s word: the publication, the closing and the prices that decided them stand in a log of linked hashes. This page can fetch those records and work all of it out again.'
        : 'The publication stands in a log of linked hashes and cannot be changed any more. This page can fetch the record and work it out again.';
    this.element.append(
      make('h2', '', 'Evidence'),
      make('p', 'hint', intro),
      box('div', 'actions', this.#run),
      this.#verdict,
      this.#steps,
      this.#limits,
    );
  }

  async check(): Promise<void> {
    // Without https there is none, but for this machine itself.
    const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
    if (subtle === undefined) {
      this.#limits.open = true;
      this.#say(
        'open',
        'This page cannot check: a browser computes hashes only for pages that came over https. Use the command below.',
      );
      return;
    }
    if (this.#running) return;
    this.#running = true;
    this.#run.disabled = true;
    this.#steps.replaceChildren();
    this.#say('open', 'Fetching the records…');
    try {
      const outcomes = await this.#checkAll(subtle);
      const faults = outcomes.filter((outcome) => outcome === 'wrong').length;
      const open = outcomes.filter((outcome) => outcome === 'open').length;
      const rest = open === 0 ? '' : ` ${open} could not be looked at here.`;
      if (faults === 0) this.#say('right', `All ${outcomes.length - open} checks came out right.${rest}`);
      else this.#say('wrong', `${faults} of ${outcomes.length} checks failed: do not trust this result.${rest}`);
      write(this.#run, 'Check again');
    } catch (error) {
      if (this.#end.aborted) return;
      this.#say('open', `The records could not be fetched. ${explain(error).general}`);
      this.#workspace.failed(error, 'Evidence');
    } finally {
      this.#running = false;
      this.#run.disabled = false;
    }
  }

  async #checkAll(subtle: SubtleCrypto): Promise<Outcome[]> {
    const { client } = this.#workspace;
    const call = { signal: this.#end };
    const proof = await client.signalProof(this.#signal.id, call);
    const outcomes: Outcome[] = [];
    const add = (step: Step): void => {
      outcomes.push(step.outcome);
      this.#steps.append(stepElement(step));
    };
    for (const step of await checkProof(proof, this.#signal, subtle)) add(step);
    const readLog: ReadLog = (after, limit) => client.signalLog({ after, limit }, call);
    add(
      await checkChain(proof, readLog, subtle, (done, all) =>
        this.#say('open', `Following the log: ${done} of ${all} records…`),
      ),
    );
    add(await checkHead(proof.head, readLog, subtle));
    add(await checkKeptHeads(proof.head, localStorage, readLog, subtle));
    // A head of a log that was found false is no yardstick for later.
    if (!outcomes.includes('wrong')) keepHead(localStorage, proof.head);
    return outcomes;
  }

  #say(outcome: Outcome, text: string): void {
    this.#verdict.dataset.outcome = outcome;
    write(this.#verdict, text);
  }
}

function stepElement({ title, outcome, text }: Step): HTMLElement {
  const mark = make('span', 'step-mark', MARKS[outcome]);
  mark.setAttribute('aria-hidden', 'true');
  const made = box(
    'li',
    '',
    mark,
    box('div', '', make('b', '', title), make('span', 'unseen', `: ${WORDS[outcome]}. `), make('p', '', text)),
  );
  made.dataset.outcome = outcome;
  return made;
}

function limits(): HTMLDetailsElement {
  const command = make('code', 'secret', `TICKWIRE_API_KEY=tw_… tickwire verify --url ${location.origin}`);
  const forget = button('Forget the heads kept in this browser', 'linklike', () => {
    forgetHeads(localStorage);
    write(forget, 'Forgotten');
  });
  const list = box('ul', '', ...LIMITS.map((limit) => make('li', '', limit)));
  return box(
    'details',
    'limits',
    make('summary', '', 'What this does not prove'),
    list,
    box(
      'div',
      'secret-line',
      command,
      copyButton(command, () => command.textContent ?? ''),
    ),
  );
}
