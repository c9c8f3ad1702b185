// Opens the news page, which is not part of the first load.
import type { FunctionComponent } from 'preact';
import type { TerminalServices } from '../services/terminal-services.ts';
import type { PageView } from '../ui/page.ts';

export const TITLE = 'News · Tickwire';

export interface NewsPageProps {
  readonly services: Pick<
    TerminalServices,
    'client' | 'instruments' | 'quotes' | 'latestNews' | 'notifier' | 'navigator'
  >;
}

export interface NewsViews {
  readonly NewsPage: FunctionComponent<NewsPageProps>;
}

export function openNewsPage(services: NewsPageProps['services'], { NewsPage }: NewsViews): PageView {
  // A new address is another filter, or a headline: the list stays below it, where the user was.
  return { title: TITLE, view: <NewsPage services={services} />, navigate: () => true };
}
