// Polls feeds of news. Only new items are passed on.

import { DocumentPoller, type DocumentPollerOptions } from '../../documents/document-poller.ts';
import type { FetchedDocument } from '../../documents/fetch-document.ts';
import type { RawItem, TakeNews } from '../news-source.ts';
import { FeedParser } from './feed-parser.ts';
import { type FeedSource, PolledSource } from './polled-source.ts';

export interface FeedPollerOptions extends Omit<DocumentPollerOptions, 'kind'> {
  readonly sources: readonly FeedSource[];
  readonly take: TakeNews;
  readonly parser?: FeedParser;
}

export class FeedPoller extends DocumentPoller<PolledSource> {
  readonly #options: FeedPollerOptions;
  readonly #parser: FeedParser;

  constructor(options: FeedPollerOptions) {
    super(
      options.sources.map((source) => new PolledSource(source, 0)),
      { ...options, kind: 'news' },
    );
    this.#options = options;
    this.#parser = options.parser ?? new FeedParser();
  }

  protected async read(source: PolledSource, fetched: FetchedDocument): Promise<string | null> {
    const { now, log } = this.#options;
    const parsed = await this.#parser.parse(fetched);
    if (this.isStopping) return null;
    if (!parsed.ok) return `${parsed.failure}: ${parsed.detail}`;
    const items = source.takeNew(parsed.items, now());
    if (parsed.leftOut > 0)
      log.debug('a feed has more items than the limit', { source: source.source.name, left_out: parsed.leftOut });
    if (items.length > 0) this.#deliver(items);
    return null;
  }

  protected cancel(): void {
    this.#parser.stop();
  }

  #deliver(items: readonly RawItem[]): void {
    try {
      this.#options.take(items);
    } catch (error) {
      // Not a failure of the source, so it does not back off.
      this.#options.log.error('news items could not be processed', { items: items.length, error });
    }
  }
}
