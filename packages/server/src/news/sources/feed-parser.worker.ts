// Worker thread of the feed parser.
import { parseFeed } from '../../documents/parse-feed.ts';
import { serveParser } from '../../documents/worker-parser.ts';

serveParser(parseFeed);
