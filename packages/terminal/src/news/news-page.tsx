// The news page: headlines by day with filters, which are part of the address; sentiment over time and its accuracy beside them.
import type { TerminalServices } from '../services/terminal-services.ts';
import { currentAddress } from '../ui/current-address.ts';
import type { PageView } from '../ui/page.ts';
import { CalibrationPanel } from './calibration-panel.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ALL_NEWS, type NewsPageFilter, newsAddress, readFilter } from './news-filter.ts';
import { NewsByDay } from './news-list.tsx';
import { SentimentPanel } from './sentiment-panel.tsx';

type Services = Pick<TerminalServices, 'client' | 'instruments' | 'latestNews' | 'notifier' | 'navigator'>;

export function openNewsPage(services: Services): PageView {
  // A new address is at most another filter.
  return { title: 'News · Tickwire', view: <NewsPage services={services} />, navigate: () => true };
}

function NewsPage({ services }: { readonly services: Services }) {
  const { client, instruments, navigator } = services;
  const filter = readFilter(currentAddress.value.search);
  // The back button leads to the previous page, not through every typed letter.
  const choose = (chosen: NewsPageFilter): void => navigator.go(newsAddress(chosen), { replace: true });
  return (
    <div class="news-page">
      <FilterBar instruments={instruments} filter={filter} onChange={choose} />
      <aside class="news-aside" aria-label="Sentiment">
        <SentimentPanel client={client} filter={filter} />
        <CalibrationPanel client={client} filter={filter} />
      </aside>
      <div class="news-main">
        <h1 class="unseen">News</h1>
        <NewsByDay services={services} filter={filter} onClear={() => choose(ALL_NEWS)} />
      </div>
    </div>
  );
}
