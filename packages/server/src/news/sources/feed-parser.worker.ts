// Worker thread of the feed parser: one document in, one result out.

import { parseFeed } from './parse-feed.ts';
import type { FeedDocument } from './parsed-feed.ts';
import { READY } from './worker-parser.ts';

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<FeedDocument>) => {
  self.postMessage(parseFeed(data));
};
self.postMessage(READY);
