// The track record of one publisher: its course, what can be said of it and how surely, by instrument, and its signals.
import { type PublisherDetail, type Signal, TickwireError } from '@tickwire/client';
import { pathOf } from '../address.ts';
import { box, button, link, make } from '../elements.ts';
import { setNumber, signOf } from '../format.ts';
import { explain } from '../forms/failure.ts';
import { momentElement } from '../moments.ts';
import { preferences } from '../preferences.ts';
import { remarks } from '../signals/signal-row.ts';
import { directionMark, inR, REASONS, signedFigure, signedPips } from '../signals/words.ts';
import { type Column, table } from '../table.ts';
import type { Workspace } from '../workspace.ts';
import { courseOf } from './equity.ts';
import { equityChart } from './equity-chart.ts';
import { asPercent, confidence, holding, meanR, winRate } from './figures.ts';

const PAGE = 50;
/** The record is worked out again after a closing, at most this often. */
const AGAIN_MS = 5_000;

export class RecordView {
  readonly element = make('section', 'signals-page publishers');
  readonly #workspace: Workspace;
  readonly #name: string;
  readonly #end = new AbortController();
  readonly #body = make('div', 'signal-body');
  readonly #list = make('div', 'part');
  #record: PublisherDetail | null = null;
  #signals: readonly Signal[] = [];
  #ended = false;
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(workspace: Workspace, name: string) {
    this.#workspace = workspace;
    this.#name = name;
    const { signal } = this.#end;
    this.#body.append(make('p', 'empty-note', 'Loading…'));
    this.element.append(this.#body);
    workspace.signals.follow(signal, ({ published, closed }) => {
      const user = (published ?? closed)?.user;
      if (user === undefined || user !== this.#record?.name) return;
      this.#due ??= setTimeout(() => {
        this.#due = undefined;
        void this.#load();
      }, AGAIN_MS);
    });
    signal.addEventListener('abort', () => clearTimeout(this.#due));
    preferences.onChange(signal, () => this.#show());
    void this.#load();
  }

  close(): void {
    this.#end.abort();
  }

  async #load(): Promise<void> {
    const { client } = this.#workspace;
    const call = { signal: this.#end.signal };
    try {
      const [record, { items }] = await Promise.all([
        client.publisher(this.#name, call),
        client.signals({ status: 'all', user: this.#name, limit: PAGE }, call),
      ]);
      this.#record = record;
      // Older pages that were asked for stay, behind the newest.
      const newest = new Set(items.map(({ id }) => id));
      const last = items.at(-1)?.timestamp ?? '';
      this.#signals = [...items, ...this.#signals.filter(({ id, timestamp }) => !newest.has(id) && timestamp <= last)];
      if (this.#signals.length === items.length) this.#ended = items.length < PAGE;
      this.#show();
    } catch (error) {
      if (this.#end.signal.aborted) return;
      if (this.#record === null) this.#sorry(error);
      if (!(error instanceof TickwireError && error.status === 404)) this.#workspace.failed(error, 'Publisher');
    }
  }

  #sorry(error: unknown): void {
    const missing = error instanceof TickwireError && error.status === 404;
    const text = missing ? `Nobody called ${this.#name} has published a signal here.` : explain(error).general;
    const again = button('Try again', 'plain', () => void this.#load());
    this.#body.replaceChildren(
      link('← All publishers', '/publishers', 'back'),
      box('div', 'sorry', make('p', '', text), ...(missing ? [] : [again])),
    );
  }

  #show(): void {
    const record = this.#record;
    if (!record) return;
    document.title = `${record.name} · Tickwire`;
    const rank =
      record.rank === null ? make('span', 'chip', 'not ranked') : make('span', 'chip good', `rank ${record.rank}`);
    const since = record.first_at === null ? '' : 'publishing since ';
    this.#showSignals();
    this.#body.replaceChildren(
      link('← All publishers', '/publishers', 'back'),
      box(
        'header',
        'signal-head',
        box('div', '', make('h1', '', record.name), box('p', 'hint', since, momentElement(record.first_at))),
        box('span', 'chips', rank),
      ),
      box('section', 'signal-panel', make('h2', '', 'Course'), equityChart(courseOf(record))),
      box('div', 'signal-columns', statistics(record), counting(record)),
      box('section', 'signal-panel', make('h2', '', 'By instrument'), byInstrument(record)),
      box('section', 'signal-panel', make('h2', '', 'Signals'), this.#list),
    );
  }

  #showSignals(): void {
    const user = encodeURIComponent(this.#record?.name ?? this.#name);
    const live = link('See them live', `/signals?user=${user}`, 'inline-link');
    const more = button('Show older ones', 'plain', () => void this.#older(more));
    this.#list.replaceChildren(
      box('p', 'hint', live),
      table('Signals', SIGNAL_COLUMNS, this.#signals, 'None yet.'),
      ...(this.#ended ? [] : [box('div', 'actions', more)]),
    );
  }

  async #older(more: HTMLButtonElement): Promise<void> {
    more.disabled = true;
    try {
      const before = this.#signals.at(-1)?.id;
      const { items } = await this.#workspace.client.signals(
        { status: 'all', user: this.#name, limit: PAGE, ...(before !== undefined && { before }) },
        { signal: this.#end.signal },
      );
      this.#signals = [...this.#signals, ...items];
      this.#ended = items.length < PAGE;
      this.#showSignals();
    } catch (error) {
      more.disabled = false;
      if (!this.#end.signal.aborted) this.#workspace.failed(error, 'Signals');
    }
  }
}

const facts = (entries: readonly (readonly [string, Node | string])[]): HTMLElement =>
  box('dl', 'facts', ...entries.flatMap(([term, text]) => [make('dt', '', term), box('dd', '', text)]));

function statistics(record: PublisherDetail): HTMLElement {
  const { total_r, profit_factor, max_drawdown_r, sharpe, probabilistic_sharpe, average_holding_seconds } = record;
  const list = facts([
    ['Total', signed(inR(total_r))],
    ['Per signal, 95 % margin', meanR(record)],
    ['Win rate, 95 % interval', winRate(record)],
    [
      'Won for each R lost',
      profit_factor === null ? '– (nothing was lost)' : `${setNumber(profit_factor.toFixed(2))} R`,
    ],
    ['Deepest fall', `${setNumber(max_drawdown_r.toFixed(2))} R`],
    ['Sharpe ratio, per signal', sharpe === null ? '–' : signedFigure(sharpe, 2)],
    ['Chance that it is not luck', asPercent(probabilistic_sharpe, 1)],
    ['Held on average', holding(average_holding_seconds)],
  ]);
  return box('section', 'signal-panel', make('h2', '', 'Figures'), list, make('p', 'hint', confidence(record)));
}

function counting(record: PublisherDetail): HTMLElement {
  const { signals, active, ranked_signals, wins, losses, breakeven, unfilled, unranked } = record;
  const list = facts([
    ['Published', String(signals)],
    ['Active now', String(active)],
    ['Ranked', `${ranked_signals} (${wins} won, ${losses} lost, ${breakeven} even)`],
    ['Unfilled', `${unfilled}: the entry was never met`],
    ['Not ranked', `${unranked}: a gap in the prices, or decided by prices that the publisher pushed`],
  ]);
  const hint =
    'All figures are worked out by the service from the log, in which every closing stands with the price that decided it. They take the results for independent: many signals on one idea at one time are fewer than they look.';
  return box('section', 'signal-panel', make('h2', '', 'What is counted'), list, make('p', 'hint', hint));
}

function signed(text: string): HTMLElement {
  const made = make('span', '', text);
  made.dataset.sign = signOf(text);
  return made;
}

function byInstrument({ instruments }: PublisherDetail): Node {
  const columns: readonly Column<PublisherDetail['instruments'][number]>[] = [
    { head: 'Instrument', cell: ({ symbol }) => link(symbol, pathOf('markets', symbol), 'inline-link') },
    { head: 'Signals', cell: (each) => String(each.signals), numeric: true },
    { head: 'Won', cell: ({ wins }) => String(wins), numeric: true },
    { head: 'Lost', cell: ({ losses }) => String(losses), numeric: true },
    { head: 'Win rate', cell: ({ win_rate }) => asPercent(win_rate), numeric: true },
    { head: 'Per signal', cell: ({ average_r }) => signed(inR(average_r)), numeric: true },
    { head: 'Total', cell: ({ total_r }) => signed(inR(total_r)), numeric: true },
  ];
  return table('By instrument', columns, instruments, 'None yet.');
}

const SIGNAL_COLUMNS: readonly Column<Signal>[] = [
  {
    head: 'Signal',
    cell: ({ id, direction, symbol }) => {
      const made = link('', pathOf('signals', id), 'signal-link');
      made.append(directionMark(direction), ` ${symbol}`);
      return made;
    },
  },
  { head: 'Published', cell: ({ timestamp }) => momentElement(timestamp) },
  {
    head: 'What became of it',
    cell: (signal) =>
      signal.status === 'active'
        ? make('span', 'chip', 'active')
        : box('span', 'chips', REASONS[signal.close_reason], ...remarks(signal)),
  },
  {
    head: 'Pips',
    cell: (signal) =>
      signal.status === 'closed' && signal.close_reason !== 'unfilled' ? signed(signedPips(signal.pnl)) : '–',
    numeric: true,
  },
  {
    head: 'R',
    cell: (signal) =>
      signal.status === 'closed' && signal.close_reason !== 'unfilled' ? signed(inR(signal.pnl_r)) : '–',
    numeric: true,
  },
];
