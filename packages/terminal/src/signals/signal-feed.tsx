// The feed of signals: filtered, live, older ones on scrolling. Only visible rows are in the document; they follow the market,
// and none moves under the pointer.
import { useSignal } from '@preact/signals';
import type { ActiveSignal, Signal } from '@tickwire/client';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { Button } from '../ui/button.tsx';
import { currentAddress } from '../ui/current-address.ts';
import { useSubscription } from '../ui/hooks.ts';
import { preferences } from '../ui/preferences.ts';
import { useRemote } from '../ui/remote.tsx';
import { FeedControls } from './feed-controls.tsx';
import { type FeedFilter, isNarrowed, NO_FILTER, parseFilter, searchOf } from './feed-filter.ts';
import { FeedModel } from './feed-model.ts';
import { wordOf } from './labels.ts';
import { OrderStates } from './order-states.ts';
import { mayPublish } from './publish-permission.ts';
import { createSignalRow, type FeedRow } from './signal-row.tsx';
import { stepTo, VirtualList } from './virtual-list.ts';

export type FeedServices = Pick<
  TerminalServices,
  'client' | 'session' | 'instruments' | 'quotes' | 'activeSignals' | 'status' | 'notifier' | 'navigator'
>;

/** Of ages and order states. */
const REFRESH_MS = 2_000;
const ANNOUNCE_EVERY_MS = 10_000;
const AT_TOP_PX = 4;
const NEAR_END_PX = 600;
const HEADS = ['', 'Instrument', 'Publisher', 'Entry', 'Stop', 'Target', 'Progress', 'Result', 'State', 'Published'];

export function SignalFeedPage(services: FeedServices) {
  const { client, session, instruments, navigator } = services;
  const { search } = currentAddress.value;
  const filter = useMemo(() => parseFilter(search), [search]);
  const publishers = useRemote(() => client.publishers({ limit: 200 }));
  const setFilter = (next: FeedFilter): void => navigator.go(`/signals${searchOf(next)}`, { replace: true });
  return (
    <section class="signals-page feed">
      <header class="feed-head line">
        <div class="feed-title line">
          <h1>Signals</h1>
          <a class="quiet" href="/publishers">
            Publishers
          </a>
          {mayPublish(session) && (
            <a class="primary as-button" href="/signals/new">
              Publish a signal
            </a>
          )}
        </div>
        <FeedControls
          filter={filter}
          instruments={instruments}
          publishers={publishers.data?.items.map(({ name }) => name) ?? []}
          onChange={setFilter}
        />
      </header>
      <div class="signal-row feed-heads" aria-hidden="true">
        {HEADS.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      <FeedBody services={services} filter={filter} setFilter={setFilter} />
    </section>
  );
}

interface BodyProps {
  readonly services: FeedServices;
  readonly filter: FeedFilter;
  readonly setFilter: (filter: FeedFilter) => void;
}

function FeedBody({ services, filter, setFilter }: BodyProps) {
  const { client, quotes, activeSignals, status, notifier } = services;
  const viewport = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const virtual = useRef<VirtualList<Signal, FeedRow> | null>(null);
  const pointed = useRef(false);
  /** Id of the row that the tab key stops at. */
  const current = useRef<string | null>(null);
  const [announcement, announce] = useAnnouncement();
  const [feed] = useState(() => {
    const isHeld = (): boolean =>
      pointed.current ||
      list.current?.contains(document.activeElement) === true ||
      (viewport.current?.scrollTop ?? 0) > AT_TOP_PX;
    return new FeedModel({ client, activeSignals, notifier, isHeld, onPublished: announce });
  });
  const setCurrent = (id: string | null): void => {
    virtual.current?.row(current.current)?.setCurrent(false);
    current.current = id;
    virtual.current?.row(id)?.setCurrent(true);
  };
  const focusRow = (index: number): void => {
    const row = virtual.current?.reveal(index);
    if (!row) return;
    setCurrent(row.id);
    row.open.focus({ preventScroll: true });
  };

  useSubscription((end, changed) => {
    const orders = new OrderStates(end, {
      load: (id, signal) => client.signal(id, { signal }),
      allowance: status.peekAllowance,
      onLoaded: (id) => rows.row(id)?.showMarket(),
      onError: (error) => notifier.reportError(error, 'Signals'),
    });
    const loadOrders = (): void => {
      const active = rows.visible.filter((each) => each.status === 'active').map(({ id }) => id);
      orders.request(active, (id) => rows.row(id)?.isAtEntry() ?? false);
    };
    const rows = new VirtualList<Signal, FeedRow>(end, {
      viewport: viewport.current!,
      list: list.current!,
      createRow: (each) => {
        const row = createSignalRow(each, { quotes, orderOf: (id) => orders.of(id) });
        row.setCurrent(each.id === current.current);
        return row;
      },
      onVisible: loadOrders,
    });
    virtual.current = rows;
    quotes.onChange((changed) => {
      for (const row of rows.rows) if (changed.has(row.symbol)) row.showMarket();
    }, end);
    const timer = setInterval(() => {
      if (document.hidden) return;
      loadOrders();
      for (const row of rows.rows) row.showAge();
    }, REFRESH_MS);
    end.addEventListener('abort', () => clearInterval(timer));
    feed.subscribe(end, changed);
    activeSignals.onProgress(end, (id) => {
      orders.outdate(id);
      loadOrders();
    });
  });
  useEffect(() => {
    viewport.current!.scrollTop = 0;
    feed.load(filter);
  }, [filter, preferences.choices]);

  const { rows, waiting } = feed.list;
  useLayoutEffect(() => {
    virtual.current?.show(rows);
    if (!rows.some(({ id }) => id === current.current)) setCurrent(rows[0]?.id ?? null);
  });

  const onScroll = (): void => {
    const { scrollTop, clientHeight, scrollHeight } = viewport.current!;
    const nearEnd = scrollTop + clientHeight > scrollHeight - NEAR_END_PX;
    if (nearEnd && !feed.loading && feed.failure === null) feed.older();
    if (scrollTop <= AT_TOP_PX) feed.settle();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rows.findIndex(({ id }) => id === current.current);
    const to = stepTo(event.key, at, rows.length, virtual.current?.pageRows ?? 1);
    if (to === null) return;
    event.preventDefault();
    focusRow(to);
  };
  /** The whole row opens the signal, except for the other links in it. */
  const onClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element) || target.closest('a') || getSelection()?.isCollapsed === false) return;
    virtual.current?.rowAt(target)?.open.click();
  };
  const showNew = (): void => {
    feed.list.release();
    viewport.current!.scrollTop = 0;
    feed.changed();
    virtual.current?.show(feed.list.rows);
    focusRow(0);
  };
  const point = (on: boolean): void => {
    pointed.current = on;
    if (!on) feed.settle();
  };
  return (
    // The button that lies over the rows is part of it: on the way to the button, nothing may move either.
    <div class="feed-body" onPointerEnter={() => point(true)} onPointerLeave={() => point(false)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it extends the links inside it. */}
      <div
        class="feed-viewport"
        ref={viewport}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocusIn={({ target }) => setCurrent(virtual.current?.rowAt(target)?.id ?? current.current)}
        onFocusOut={() => queueMicrotask(() => feed.settle())}
      >
        <ul class="feed-rows" aria-label="Signals, newest first" ref={list} />
        {rows.length === 0 ? (
          <div class="feed-note muted">
            <EmptyNote feed={feed} setFilter={setFilter} />
          </div>
        ) : (
          <p class="feed-foot muted">
            <FeedFoot feed={feed} />
          </p>
        )}
      </div>
      {waiting > 0 && (
        <button type="button" class="fresh" onClick={showNew}>
          {waiting === 1 ? '1 new signal' : `${waiting} new signals`}
        </button>
      )}
      <p class="unseen" role="status">
        {announcement}
      </p>
    </div>
  );
}

/** What comes after the last row. */
export function FeedFoot({ feed }: { readonly feed: FeedModel }) {
  const { failure, list, pages, loading, complete } = feed;
  const more = (text: string) => (
    <Button tone="linklike" onClick={() => feed.older()}>
      {text}
    </Button>
  );
  if (failure !== null) return [`${failure} `, more('Try again')];
  if (list.full) return 'There are more signals than fit here. Filter by instrument or publisher.';
  if (pages === null) return complete ? null : 'Only the newest active signals are shown.';
  if (pages.ended) return 'End of list';
  return loading ? 'Loading older signals…' : more('Load older signals');
}

function EmptyNote({ feed, setFilter }: { readonly feed: FeedModel; readonly setFilter: BodyProps['setFilter'] }) {
  const { filter, failure, loading, pages } = feed;
  const { status } = filter;
  const kind = status === 'all' ? '' : `${status} `;
  if (failure !== null)
    return (
      <>
        <p>{failure}</p>
        <Button onClick={() => feed.retry()}>Try again</Button>
      </>
    );
  if (loading) return <p>Loading…</p>;
  if (!isNarrowed(filter))
    return (
      <p>{status === 'active' ? 'No active signals. New ones appear here automatically.' : `No ${kind}signals yet.`}</p>
    );
  const ended = pages?.ended ?? true;
  return (
    <>
      <p>{`No ${ended ? '' : 'recent '}${kind}signals match this filter.`}</p>
      {!ended && <Button onClick={() => feed.older()}>Search older signals</Button>}
      <Button onClick={() => setFilter({ ...NO_FILTER, status })}>Clear filter</Button>
    </>
  );
}

/** Announces new signals to screen readers: one by its name, several by their number, and not too often. */
function useAnnouncement() {
  const text = useSignal('');
  const state = useRef({ names: [] as string[], at: 0 });
  const add = ({ direction, symbol, user }: ActiveSignal): void => {
    const { names, at } = state.current;
    const now = Date.now();
    names.push(`${wordOf(direction)} ${symbol} by ${user}`);
    if (now - at < ANNOUNCE_EVERY_MS) return;
    text.value = names.length === 1 ? `New signal: ${names[0]}` : `${names.length} new signals`;
    state.current = { names: [], at: now };
  };
  return [text, add] as const;
}
