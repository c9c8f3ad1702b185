// The feed of signals: narrowed by its controls, live, and older ones as one scrolls. What is in sight is in the document and
// moves with the market; nothing moves under the pointer.
import type { Signal } from '@tickwire/client';
import { box, button, link, make, write } from '../elements.ts';
import { explain } from '../forms/failure.ts';
import { preferences } from '../preferences.ts';
import type { Workspace } from '../workspace.ts';
import { FeedControls } from './feed-controls.ts';
import { type FeedFilter, filterIn, isNarrow, NO_FILTER, searchOf } from './feed-filter.ts';
import { FeedList } from './feed-list.ts';
import { FeedNews } from './feed-news.ts';
import { FeedPages } from './feed-pages.ts';
import { stepTo } from './list-keys.ts';
import { OrderStates } from './order-states.ts';
import { mayPublish } from './publish-right.ts';
import { RowWindow } from './row-window.ts';
import type { SignalChange } from './signal-book.ts';
import { SignalRow } from './signal-row.ts';

const AGES_EVERY_MS = 15_000;
const ORDERS_EVERY_MS = 2_000;
const AT_TOP_PX = 4;
const NEAR_END_PX = 600;
const HEADS = [
  '',
  'Instrument',
  'Publisher',
  'Entry',
  'Stop',
  'Target',
  'Stop – entry – target',
  'Result',
  'State',
  'Published',
];

export class Feed {
  readonly element = make('section', 'signals-page feed');
  readonly #workspace: Workspace;
  readonly #end = new AbortController();
  readonly #controls: FeedControls;
  readonly #viewport = make('div', 'feed-viewport');
  readonly #rowsElement = make('div', 'feed-rows');
  readonly #note = make('div', 'feed-note');
  readonly #foot = make('p', 'feed-foot');
  readonly #fresh = button('', 'fresh', () => this.#toTop());
  readonly #news = new FeedNews();
  readonly #orders: OrderStates;
  readonly #window: RowWindow<Signal, SignalRow>;
  #filter: FeedFilter = filterIn(location.search);
  #list = new FeedList(this.#filter);
  #pages: FeedPages | null = null;
  #loading = true;
  #failure: string | null = null;
  #bookLoaded: boolean;
  #current: string | null = null;
  #pointed = false;
  #asked = 0;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    const { signal } = this.#end;
    const { client, board } = workspace;
    this.#controls = new FeedControls(workspace.instruments, this.#filter, (filter) => this.#narrow(filter));
    this.#orders = new OrderStates(signal, {
      ask: (id, end) => client.signal(id, { signal: end }),
      allowance: workspace.allowance,
      onKnown: (id) => this.#window.row(id)?.showMarket(),
      onFailure: (error) => workspace.failed(error, 'Signals'),
    });
    this.#bookLoaded = workspace.signals.state === 'ready';
    this.#build();
    this.#window = new RowWindow<Signal, SignalRow>(signal, {
      viewport: this.#viewport,
      list: this.#rowsElement,
      make: (each) => this.#row(each),
      onSight: () => this.#askOrders(),
    });
    board.onChange((changed) => {
      for (const row of this.#window.rows) if (changed.has(row.symbol)) row.showMarket();
    }, signal);
    this.#every(AGES_EVERY_MS, () => {
      for (const row of this.#window.rows) row.showAge();
    });
    this.#every(ORDERS_EVERY_MS, () => this.#askOrders());
    preferences.onChange(signal, () => this.#begin());
    workspace.signals.follow(signal, (change) => this.#hear(change));
    void this.#loadPublishers();
    this.#begin();
  }

  /** The address has changed. */
  readAddress(): void {
    this.#filter = filterIn(location.search);
    this.#controls.show(this.#filter);
    this.#begin();
  }

  close(): void {
    this.#end.abort();
  }

  #build(): void {
    const { signal } = this.#end;
    const publish = link('Publish a signal', '/signals/new', 'primary as-button');
    publish.hidden = !mayPublish(this.#workspace);
    const title = box(
      'div',
      'feed-title',
      make('h1', '', 'Signals'),
      link('Publishers', '/publishers', 'quiet'),
      publish,
    );
    const heads = box('div', 'signal-row feed-heads', ...HEADS.map((head) => make('span', '', head)));
    heads.setAttribute('aria-hidden', 'true');
    this.#rowsElement.setAttribute('role', 'list');
    this.#rowsElement.setAttribute('aria-label', 'Signals, newest first');
    this.#fresh.hidden = true;
    this.#viewport.append(this.#rowsElement, this.#note, this.#foot);
    const body = box('div', 'feed-body', this.#viewport, this.#fresh, this.#news.element);
    this.element.append(box('header', 'feed-head', title, this.#controls.element), heads, body);
    // With the button that lies over it: on the way to that, nothing may move either.
    body.addEventListener('pointerenter', () => this.#point(true), { signal });
    body.addEventListener('pointerleave', () => this.#point(false), { signal });
    this.#viewport.addEventListener('focusout', () => queueMicrotask(() => this.#settle()), { signal });
    this.#viewport.addEventListener('focusin', (event) => this.#focused(event), { signal });
    this.#viewport.addEventListener('scroll', () => this.#scrolled(), { signal, passive: true });
    this.#viewport.addEventListener('keydown', (event) => this.#key(event), { signal });
    this.#viewport.addEventListener('click', (event) => this.#click(event), { signal });
  }

  #row(each: Signal): SignalRow {
    const row = new SignalRow(each, { board: this.#workspace.board, orderOf: (id) => this.#orders.of(id) });
    row.current(each.id === this.#current);
    return row;
  }

  #narrow(filter: FeedFilter): void {
    this.#workspace.router.go(`/signals${searchOf(filter)}`, { replace: true });
  }

  /** From the first page on, with what is in the address now. */
  #begin(): void {
    const { client, signals } = this.#workspace;
    const asked = ++this.#asked;
    this.#list = new FeedList(this.#filter);
    this.#failure = null;
    this.#viewport.scrollTop = 0;
    if (this.#filter.status === 'active') {
      this.#pages = null;
      this.#loading = signals.state === 'loading';
      this.#list.load(signals.active);
      this.#show();
      return;
    }
    const { signal } = this.#end;
    this.#pages = new FeedPages(this.#filter, (options) => client.signals(options, { signal }));
    this.#loading = true;
    this.#show();
    void this.#older(asked);
  }

  async #older(asked = this.#asked): Promise<void> {
    const pages = this.#pages;
    if (!pages || pages.ended || this.#list.full) return;
    this.#loading = true;
    this.#failure = null;
    try {
      const items = await pages.next();
      if (asked !== this.#asked) return;
      this.#list.older(items);
    } catch (error) {
      if (asked !== this.#asked || this.#end.signal.aborted) return;
      this.#failure = explain(error).general;
      this.#workspace.failed(error, 'Signals');
    }
    this.#loading = false;
    this.#show();
  }

  #hear({ published, closed }: SignalChange): void {
    this.#holdOrNot();
    if (!published && !closed) {
      // Loaded again: of a feed with pages, what came since is on the first one.
      const { signals } = this.#workspace;
      const again = this.#bookLoaded;
      this.#bookLoaded = signals.state === 'ready';
      if (this.#filter.status !== 'active') {
        if (again) this.#begin();
        return;
      }
      this.#loading = signals.state === 'loading';
      this.#failure = signals.state === 'failed' ? 'The signals could not be loaded.' : null;
      this.#list.load(signals.active);
      this.#show();
      return;
    }
    const changed = published ? this.#list.published(published) : closed ? this.#list.closed(closed) : false;
    if (!changed) return;
    if (published) this.#news.add(published);
    this.#show();
  }

  #show(): void {
    const { rows, waiting, full } = this.#list;
    this.#window.show(rows);
    this.#fresh.hidden = waiting === 0;
    write(this.#fresh, waiting === 1 ? '1 new signal' : `${waiting} new signals`);
    if (!rows.some(({ id }) => id === this.#current)) this.#setCurrent(rows[0]?.id ?? null);
    this.#note.hidden = rows.length > 0;
    if (rows.length === 0) this.#note.replaceChildren(...this.#empty());
    this.#showFoot(rows.length, full);
  }

  #showFoot(shown: number, full: boolean): void {
    this.#foot.replaceChildren(...(shown === 0 ? [] : this.#footOf(full)));
  }

  #footOf(full: boolean): readonly (Node | string)[] {
    const more = (text: string): HTMLElement => button(text, 'linklike', () => this.#askOlder());
    if (this.#failure !== null) return [`${this.#failure} `, more('Try again')];
    if (full) return ['There are more than are shown here. Narrow them by instrument or publisher.'];
    if (this.#pages === null)
      return this.#workspace.signals.complete ? [] : ['Only the newest of very many are shown.'];
    if (this.#pages.ended) return ['These are all.'];
    return [this.#loading ? 'Loading older ones…' : more('Load older ones')];
  }

  #askOlder(): void {
    void this.#older();
    this.#showFoot(this.#list.rows.length, this.#list.full);
  }

  #empty(): readonly (Node | string)[] {
    if (this.#failure !== null)
      return [make('p', '', this.#failure), button('Try again', 'plain', () => this.#tryAgain())];
    if (this.#loading) return [make('p', '', 'Loading…')];
    const { status } = this.#filter;
    const kind = status === 'all' ? '' : `${status} `;
    if (isNarrow(this.#filter)) {
      const wider = button('Show all of them', 'plain', () => this.#narrow({ ...NO_FILTER, status }));
      if (this.#pages === null || this.#pages.ended)
        return [make('p', '', `No ${kind}signal fits this choice.`), wider];
      const further = button('Look further back', 'plain', () => this.#lookFurther());
      return [make('p', '', `None of the newest ${kind}signals fits this choice.`), further, wider];
    }
    if (status === 'active') return [make('p', '', 'No signal is active now. New ones come in here by themselves.')];
    return [make('p', '', `There is no ${kind}signal yet.`)];
  }

  #lookFurther(): void {
    void this.#older();
    this.#show();
  }

  #tryAgain(): void {
    if (this.#pages === null) this.#workspace.signals.reload();
    else this.#begin();
  }

  // Holding still ----------------------------------------------------------------------------------------------------

  #point(pointed: boolean): void {
    this.#pointed = pointed;
    if (!pointed) this.#settle();
  }

  #holdOrNot(): void {
    const busy = this.#rowsElement.contains(document.activeElement);
    if (this.#pointed || busy || this.#viewport.scrollTop > AT_TOP_PX) this.#list.hold();
    else this.#list.release();
  }

  /** Nobody looks at one row any more: what waited may come in. */
  #settle(): void {
    if (this.#end.signal.aborted) return;
    const before = this.#list.rows;
    this.#holdOrNot();
    if (this.#list.rows !== before || this.#list.waiting === 0) this.#show();
  }

  #toTop(): void {
    this.#list.release();
    this.#viewport.scrollTop = 0;
    this.#show();
    this.#goTo(0);
  }

  // Moving around ----------------------------------------------------------------------------------------------------

  #scrolled(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.#viewport;
    if (!this.#loading && this.#failure === null && scrollTop + clientHeight > scrollHeight - NEAR_END_PX) {
      if (this.#pages && !this.#pages.ended && !this.#list.full) this.#askOlder();
    }
    if (scrollTop <= AT_TOP_PX) this.#settle();
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#list.rows.findIndex(({ id }) => id === this.#current);
    const to = stepTo(event.key, at, this.#list.rows.length, this.#window.pageRows);
    if (to === null) return;
    event.preventDefault();
    this.#goTo(to);
  }

  #goTo(index: number): void {
    const row = this.#window.reveal(index);
    if (!row) return;
    this.#setCurrent(row.id);
    row.open.focus({ preventScroll: true });
  }

  #focused(event: FocusEvent): void {
    for (const row of this.#window.rows) if (row.element.contains(event.target as Node)) this.#setCurrent(row.id);
  }

  #setCurrent(id: string | null): void {
    if (this.#current !== null) this.#window.row(this.#current)?.current(false);
    this.#current = id;
    if (id !== null) this.#window.row(id)?.current(true);
  }

  /** The whole row leads to the signal, but for the other links in it. */
  #click(event: MouseEvent): void {
    const { target } = event;
    if (!(target instanceof Element) || target.closest('a') || getSelection()?.isCollapsed === false) return;
    for (const row of this.#window.rows) if (row.element.contains(target)) row.open.click();
  }

  // In sight ---------------------------------------------------------------------------------------------------------

  #askOrders(): void {
    const ids = this.#window?.inSight.filter(({ status }) => status === 'active').map(({ id }) => id) ?? [];
    this.#orders.want(ids, (id) => this.#window.row(id)?.met ?? false);
  }

  async #loadPublishers(): Promise<void> {
    try {
      const { items } = await this.#workspace.client.publishers({ limit: 200 }, { signal: this.#end.signal });
      this.#controls.publishers(items.map(({ name }) => name));
    } catch (error) {
      if (!this.#end.signal.aborted) this.#workspace.failed(error, 'Publishers');
    }
  }

  #every(ms: number, run: () => void): void {
    const timer = setInterval(() => {
      if (!document.hidden) run();
    }, ms);
    this.#end.signal.addEventListener('abort', () => clearInterval(timer));
  }
}
