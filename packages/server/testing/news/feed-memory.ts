// Fetches endless bodies and decompression bombs again and again, and prints by how many bytes the memory of this process grew.
import { FETCH_LIMITS, fetchDocument } from '../../src/documents/fetch-document.ts';
import { bomb, endless, FakePublisher } from './fake-publisher.fixture.ts';

const WARM_UP = 5;
const ROUNDS = 20;

await using publisher = await FakePublisher.open();
publisher.on('/endless', endless()).on('/bomb', bomb(1_000));

async function round(): Promise<void> {
  for (const path of ['/endless', '/bomb']) {
    const url = publisher.url(path);
    const fetched = await fetchDocument({ url, ownHost: new URL(url).host, limits: FETCH_LIMITS });
    if (fetched.kind !== 'failed' || fetched.name !== 'too_large') throw new Error(`${path}: ${fetched.kind}`);
  }
}

function settled(): number {
  Bun.gc(true);
  return process.memoryUsage().rss;
}

for (let each = 0; each < WARM_UP; each++) await round();
const before = settled();
let peak = before;
for (let each = 0; each < ROUNDS; each++) {
  await round();
  peak = Math.max(peak, process.memoryUsage().rss);
}
console.log(JSON.stringify({ grown: settled() - before, peak: peak - before }));
