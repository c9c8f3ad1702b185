// The news page: headlines by day with filters, which are part of the address; sentiment over time and its accuracy beside them.
// `/news/ID` opens one headline in the place of the list.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { partsOf, pathOf } from '../ui/address.ts';
import { currentAddress } from '../ui/current-address.ts';
import { CalibrationPanel } from './calibration-panel.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ALL_NEWS, type NewsPageFilter, newsAddress, readFilter } from './news-filter.ts';
import { type NewsItemServices, NewsItemView } from './news-item-view.tsx';
import { NewsByDay } from './news-list.tsx';
import { SentimentPanel } from './sentiment-panel.tsx';

interface Props {
  readonly services: NewsItemServices & Pick<TerminalServices, 'notifier' | 'navigator'>;
}

export function NewsPage({ services }: Props) {
  const { client, instruments, navigator } = services;
  const { pathname, search } = currentAddress.value;
  const id = partsOf(pathname)?.[1] ?? null;
  const [page, main] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  // Of the list, while a headline is open.
  const kept = useRef({ id, search: id === null ? search : '', scrolled: [0, 0] });
  if (id === null) kept.current.search = search;
  // Before the list is hidden, which loses its position.
  else if (kept.current.id === null)
    kept.current.scrolled = [page.current?.scrollTop ?? 0, main.current?.scrollTop ?? 0];
  const filter = readFilter(kept.current.search);
  useLayoutEffect(() => {
    const { id: before, scrolled } = kept.current;
    kept.current.id = id;
    if (id !== null) page.current!.scrollTop = 0;
    else if (before !== null) {
      document.title = 'News · Tickwire';
      [page.current!.scrollTop, main.current!.scrollTop] = scrolled as [number, number];
      main.current!.querySelector<HTMLElement>(`a[href="${pathOf('news', before)}"]`)?.focus({ preventScroll: true });
    }
  }, [id]);
  // The back button leads to the previous page, not through every typed letter.
  const choose = (chosen: NewsPageFilter): void => navigator.go(newsAddress(chosen), { replace: true });
  return (
    <div class="news-page" ref={page} data-view={id === null ? 'list' : 'item'}>
      <FilterBar instruments={instruments} filter={filter} onChange={choose} />
      <aside class="news-aside" aria-label="Sentiment">
        <SentimentPanel client={client} filter={filter} />
        <CalibrationPanel client={client} filter={filter} />
      </aside>
      <div class="news-main" ref={main} hidden={id !== null}>
        <h1 class="unseen">News</h1>
        <NewsByDay services={services} filter={filter} onClear={() => choose(ALL_NEWS)} />
      </div>
      {id !== null && <NewsItemView services={services} id={id} back={newsAddress(filter)} />}
    </div>
  );
}
