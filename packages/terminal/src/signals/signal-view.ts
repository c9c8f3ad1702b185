// One signal: where it stands, its picture, all that is known of it, and the evidence.
import { type SignalDetail, TickwireError } from '@tickwire/client';
import { pathOf } from '../address.ts';
import { box, button, link, make } from '../elements.ts';
import { price, setNumber } from '../format.ts';
import { explain } from '../forms/failure.ts';
import { exactly, moment } from '../moments.ts';
import { preferences } from '../preferences.ts';
import type { Workspace } from '../workspace.ts';
import { askToClose } from './close-own.ts';
import { EvidencePanel } from './evidence/evidence-panel.ts';
import { rewardToRisk } from './levels.ts';
import { mayBeOwn } from './publish-right.ts';
import { SignalPicture } from './signal-picture.ts';
import { remarks } from './signal-row.ts';
import { standing } from './standing.ts';
import { digitsOf, directionMark, ORDERS, REASONS, signedPips, wordOf } from './words.ts';

/** A waiting one is looked at again this often: the stream does not tell of fills. */
const PENDING_EVERY_MS = 10_000;
const ABOVE_PX = 14;

export class SignalView {
  readonly element = make('section', 'signals-page signal-view');
  readonly id: string;
  readonly #workspace: Workspace;
  readonly #end = new AbortController();
  readonly #body = make('div', 'signal-body');
  /** Of what is shown now: aborted when it is shown anew. */
  #shown = new AbortController();
  #signal: SignalDetail | null = null;
  #evidence: EvidencePanel | null = null;

  constructor(workspace: Workspace, id: string) {
    this.id = id;
    this.#workspace = workspace;
    const { signal } = this.#end;
    this.element.append(this.#body);
    this.#body.append(make('p', 'empty-note', 'Loading…'));
    workspace.signals.follow(signal, ({ closed }) => {
      if (closed?.id === id) void this.#load();
    });
    preferences.onChange(signal, () => this.#show());
    const timer = setInterval(() => {
      if (!document.hidden && this.#signal?.status === 'active' && this.#signal.filled_at === null) void this.#load();
    }, PENDING_EVERY_MS);
    signal.addEventListener('abort', () => clearInterval(timer));
    void this.#load();
  }

  close(): void {
    this.#shown.abort();
    this.#end.abort();
  }

  /** The address has changed, and may name the evidence now. */
  readAddress(): void {
    if (location.hash !== '#evidence' || !this.#evidence) return;
    const { element } = this.#evidence;
    // Not `scrollIntoView`, which would move the frame of the page as well.
    this.element.scrollTop += element.getBoundingClientRect().top - this.element.getBoundingClientRect().top - ABOVE_PX;
    element.focus({ preventScroll: true });
    void this.#evidence.check();
  }

  async #load(): Promise<void> {
    try {
      const signal = await this.#workspace.client.signal(this.id, { signal: this.#end.signal });
      const first = this.#signal === null;
      // What has not changed is left alone: somebody may be reading it.
      if (!first && JSON.stringify(signal) === JSON.stringify(this.#signal)) return;
      this.#signal = signal;
      this.#show();
      if (first) this.readAddress();
    } catch (error) {
      if (this.#end.signal.aborted) return;
      if (this.#signal === null) this.#sorry(error);
      if (!(error instanceof TickwireError && error.status === 404)) this.#workspace.failed(error, 'Signal');
    }
  }

  #sorry(error: unknown): void {
    const missing = error instanceof TickwireError && error.status === 404;
    const text = missing ? 'There is no signal with this id here.' : explain(error).general;
    const again = button('Try again', 'plain', () => void this.#load());
    this.#body.replaceChildren(
      link('← All signals', '/signals', 'back'),
      box('div', 'sorry', make('p', '', text), ...(missing ? [] : [again])),
    );
  }

  #show(): void {
    const signal = this.#signal;
    if (!signal) return;
    this.#shown.abort();
    this.#shown = new AbortController();
    const { signal: end } = this.#shown;
    document.title = `${wordOf(signal.direction)} ${signal.symbol} by ${signal.user} · Tickwire`;
    this.#evidence = new EvidencePanel(this.#workspace, signal, end);
    const picture = new SignalPicture(this.#workspace, signal, end);
    this.#body.replaceChildren(
      link('← All signals', '/signals', 'back'),
      this.#head(signal),
      box('section', 'signal-panel', standing(this.#workspace.board, signal, end), picture.element, pictureKey(signal)),
      box('div', 'signal-columns', this.#facts(signal), this.#evidence.element),
    );
  }

  #head(signal: SignalDetail): HTMLElement {
    const title = box(
      'h1',
      '',
      directionMark(signal.direction),
      ' ',
      link(signal.symbol, pathOf('markets', signal.symbol)),
    );
    const by = box(
      'p',
      'hint',
      'by ',
      link(signal.user, pathOf('publishers', signal.user)),
      `, ${moment(signal.timestamp, Date.now())}`,
    );
    const made = box('header', 'signal-head', box('div', '', title, by), box('span', 'chips', ...chipsOf(signal)));
    if (signal.status === 'active' && mayBeOwn(this.#workspace, signal))
      made.append(button(signal.filled_at === null ? 'Withdraw' : 'Close', 'plain', () => this.#askToClose(signal)));
    return made;
  }

  #askToClose(signal: SignalDetail): void {
    askToClose(this.#workspace, signal, () => void this.#load());
  }

  #facts(signal: SignalDetail): HTMLElement {
    const digits = digitsOf(signal, this.#workspace.board);
    const at = (value: number | null): string => price(value, digits);
    const time = (timestamp: string | null): Node | string => (timestamp === null ? '–' : timeElement(timestamp));
    const closed = signal.status === 'closed' ? signal : null;
    const entries: (readonly [string, Node | string] | null)[] = [
      ['Published', time(signal.timestamp)],
      ['Entry', `${at(signal.entry)}, ${ORDERS[signal.order]}`],
      [
        'Filled',
        signal.filled_at === null
          ? closed
            ? 'never'
            : 'not yet'
          : box('span', '', `${at(signal.entry_price)} · `, time(signal.filled_at)),
      ],
      ['Stop', at(signal.stop_loss)],
      ['Target', at(signal.take_profit)],
      ['Reward to risk', `${setNumber(rewardToRisk(signal).toFixed(2))} : 1`],
      closed ? null : ['Ends at the latest', time(signal.expires_at)],
      closed && ['Closed', box('span', '', `${REASONS[closed.close_reason]} · `, time(closed.closed_at))],
      closed && closed.exit_price !== null ? ['Exit', at(closed.exit_price)] : null,
      closed && closed.pnl_best !== undefined
        ? ['Best case', `${signedPips(closed.pnl_best)} pips: only a bar could decide, and the worst case is counted`]
        : null,
      closed && closed.gap_from !== undefined
        ? [
            'Without prices',
            box('span', '', time(closed.gap_from), ' to ', time(closed.gap_to ?? null), ': shown, but not ranked'),
          ]
        : null,
      closed?.self_sourced
        ? ['Self-sourced', 'decided by prices that its own publisher pushed: shown, but not ranked']
        : null,
      closed?.recovered
        ? [
            'Found later',
            closed.recovered === 'tape'
              ? 'after an interruption, on the tape'
              : 'after an interruption, from what the feed could tell',
          ]
        : null,
      ['In the log', `record ${signal.published_n}${signal.closed_n === null ? '' : ` and record ${signal.closed_n}`}`],
      ['Id', make('code', '', signal.id)],
    ];
    const list = entries
      .filter((entry) => entry !== null)
      .flatMap(([term, text]) => [make('dt', '', term), box('dd', '', text)]);
    const made = box('section', 'signal-panel', make('h2', '', 'Details'), box('dl', 'facts', ...list));
    if (signal.note !== null)
      made.append(make('h2', '', 'Note of the publisher'), make('p', 'signal-note', signal.note));
    return made;
  }
}

function chipsOf(signal: SignalDetail): HTMLElement[] {
  if (signal.status === 'active') {
    const state = signal.filled_at === null ? `pending ${signal.order}` : 'active, filled';
    return [make('span', 'chip', state)];
  }
  return [link('✓ verified', '#evidence', 'verified'), ...remarks(signal)];
}

function pictureKey(signal: SignalDetail): HTMLElement {
  const filled = signal.filled_at === null ? '' : ' The blue dot is the fill.';
  if (signal.status === 'active')
    return make('p', 'hint', `Bars show the bid.${filled} The blue line is the market now.`);
  const exit = signal.exit_price === null ? '' : ' The last dot is the exit.';
  return make('p', 'hint', `Bars show the bid. The shaded stretch is its life.${filled}${exit}`);
}

function timeElement(timestamp: string): HTMLElement {
  const made = make('time', '', exactly(Date.parse(timestamp)));
  made.dateTime = timestamp;
  made.title = moment(timestamp, Date.now());
  return made;
}
