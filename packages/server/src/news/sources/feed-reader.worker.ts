// The thread that reads feeds: one message in, one reading out.
import type { FeedBytes } from './feed-reading.ts';
import { readFeed } from './read-feed.ts';

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<FeedBytes>) => {
  self.postMessage(readFeed(data));
};
