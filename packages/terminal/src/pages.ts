// The pages of the signed-in terminal, in the order of the navigation. The first is the one at the root.
import { MARKETS_PAGE } from './markets/markets-page.ts';
import { NEWS_PAGE } from './news/news-page.ts';
import type { PageKind } from './page.ts';
import { PUBLISHERS_PAGE } from './publishers/publisher-page.ts';
import { SETTINGS_PAGE } from './settings/settings-page.ts';
import { SIGNALS_PAGE } from './signals/signals-page.ts';

export const PAGES: readonly PageKind[] = [MARKETS_PAGE, SIGNALS_PAGE, PUBLISHERS_PAGE, NEWS_PAGE, SETTINGS_PAGE];
