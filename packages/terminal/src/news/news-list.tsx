// The news list, by day. Older headlines load while the user scrolls down; new ones appear at the top if the user is there,
// otherwise behind a button.

import { DAY_MS } from '@tickwire/contract/durations.ts';
import { plural } from '@tickwire/contract/plural.ts';
import { fromViewOf } from '@tickwire/contract/symbol-sentiment.ts';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { Button } from '../ui/button.tsx';
import { explain } from '../ui/failure.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { dateText, zoned } from '../ui/relative-time.ts';
import { isNarrow, matcher, type NewsPageFilter } from './news-filter.ts';
import { NewsEntry } from './news-item.tsx';
import { NewsListModel } from './news-list-model.ts';

const weekdayOf = zoned({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

export interface NewsListProps {
  readonly services: Pick<TerminalServices, 'client' | 'latestNews' | 'notifier'>;
  readonly filter: NewsPageFilter;
  /** Removes the filter. */
  readonly onClear: () => void;
}

export function NewsByDay({ services, filter, onClear }: NewsListProps) {
  const feed = useMemo(() => new NewsListModel(services), []);
  const [top, days, end] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const version = feed.version.value;
  const searches = filter.words.trim() !== '';
  const toTop = (): void => top.current?.scrollIntoView({ block: 'start' });

  useAbortEffect((signal) => {
    feed.open(signal);
    const observer = new IntersectionObserver(([entry]) => {
      // Scrolled past, not below the fold as on a phone, where the panels come first.
      if (entry) feed.pause(!entry.isIntersecting && entry.boundingClientRect.top < innerHeight / 2);
    });
    observer.observe(top.current!);
    signal.addEventListener('abort', () => observer.disconnect());
  }, []);
  useEffect(() => feed.start(filter), [filter.symbol, filter.categories.join()]);
  // A new observer reports once more whether the end is in sight, so pages load until it is not. A search does not load any.
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting && feed.error === null && !feed.rows.full && !searches) void feed.loadOlder();
    });
    observer.observe(end.current!);
    return () => observer.disconnect();
  }, [version, searches]);

  const matches = matcher(filter);
  const shown = feed.rows.rows.filter(matches).map((item) => fromViewOf(item, filter.symbol));
  const fresh = feed.rows.pending.filter(matches).length + feed.rows.dropped;
  const news = [...(fresh > 0 ? [`${fresh} new`] : []), ...(feed.olderOnly ? ['back to the newest'] : [])];
  const foot = () => {
    const { rows, started, error, loading } = feed;
    const note = (text: string) => <p class="empty-note">{text}</p>;
    const failed = (text: string, retry: () => void) => (
      <div class="sorry">
        <p>{text}</p>
        <Button onClick={retry}>Try again</Button>
      </div>
    );
    if (!started && services.latestNews.state === 'failed')
      return failed('The news could not be loaded.', () => services.latestNews.reload());
    if (!started) return note('Loading…');
    if (error !== null) return failed(explain(error).general, () => void feed.loadOlder());
    if (loading) return note(shown.length === 0 ? 'Searching older news…' : 'Loading older news…');
    const loaded = plural(rows.rows.length, 'headline');
    if (rows.full) {
      const onClick = (): void => {
        feed.continueWithOlder();
        toTop();
      };
      return [note(`Showing ${loaded}.`), <Button key="older" onClick={onClick} children="Continue with older news" />];
    }
    if (!rows.complete) {
      if (!searches) return null;
      const onClick = (): void => void feed.loadOlder();
      return [note(`Searched ${loaded}.`), <Button key="older" onClick={onClick} children="Search older news" />];
    }
    if (shown.length > 0) return note('End of list');
    if (!isNarrow(filter)) return note('No news yet. New headlines appear here.');
    return [note('No news matches these filters.'), <Button key="all" onClick={onClear} children="Show all news" />];
  };

  return (
    <div class="news-list">
      <div class="news-top" ref={top} />
      <div class="news-announce" aria-live="polite">
        {news.length > 0 && (
          <button
            type="button"
            class="fresh"
            onClick={() => {
              feed.showNewest();
              toTop();
              // The button disappears, and with it the focus.
              days.current?.focus({ preventScroll: true });
            }}
          >
            {`↑ ${news.join(', ')}`}
          </button>
        )}
      </div>
      <div class="news-days" tabIndex={-1} ref={days}>
        {[...Map.groupBy(shown, ({ timestamp }) => dateText(Date.parse(timestamp)))].map(([day, items]) => (
          <section key={day} class="news-of-day">
            <h2 class="news-day muted small">{dayTitle(day, Date.parse(items[0]!.timestamp))}</h2>
            <ol class="plain-list">
              {items.map((item) => (
                <NewsEntry key={item.id} item={item} />
              ))}
            </ol>
          </section>
        ))}
      </div>
      <div class="news-foot line">{foot()}</div>
      <div class="news-near" ref={end} />
    </div>
  );
}

function dayTitle(day: string, time: number): string {
  const now = Date.now();
  if (day === dateText(now)) return 'Today';
  return day === dateText(now - DAY_MS) ? 'Yesterday' : weekdayOf(time);
}
