// Parses feeds on a worker thread. Some texts, such as an author of a million brackets, cost feedsmith quadratic time.
import { type FeedDocument, type ParsedFeed, parseFailure } from '../../documents/parsed-feed.ts';
import { WorkerParser } from '../../documents/worker-parser.ts';

export class FeedParser extends WorkerParser<FeedDocument, ParsedFeed> {
  constructor(deadlineMs?: number) {
    super({
      // Named as in a package. In a checkout, Bun finds the `.ts` file.
      open: () => new Worker(new URL('./feed-parser.worker.js', import.meta.url)),
      failed: parseFailure,
      ...(deadlineMs !== undefined && { deadlineMs }),
    });
  }
}
