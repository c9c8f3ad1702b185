// `EventSource` in a page of the service: the session cookie authenticates it, and the browser resumes by itself.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

interface Seen {
  readonly seqs: number[];
  readonly ids: string[];
  readonly notices: string[];
}

describeInBrowser('EventSource', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ sim_rate: '500', house: 'none', news: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'gets messages and notices with their ids in a signed-in page, without a key',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/settings');
        const seen = await page.evaluate(
          () =>
            new Promise<Seen>((resolve, reject) => {
              const source = new EventSource('/sse?channels=market,signals&symbols=EURUSD');
              const found: Seen = { seqs: [], ids: [], notices: [] };
              source.addEventListener('notice', ({ data }) => found.notices.push(JSON.parse(data).event));
              source.onmessage = ({ data, lastEventId }) => {
                found.seqs.push(JSON.parse(data).seq);
                found.ids.push(lastEventId);
                if (found.seqs.length < 20) return;
                source.close();
                resolve(found);
              };
              source.onerror = () => reject(new Error(`the stream failed, state ${source.readyState}`));
            }),
        );
        expect(seen.notices).toEqual(['subscribed', 'subscribed']);
        expect(seen.seqs).toEqual([...seen.seqs].sort((one, other) => one - other));
        for (const [at, id] of seen.ids.entries())
          if (at > 0) expect(id).toMatch(new RegExp(`^market:\\w+:${seen.seqs[at]};signals:\\w+:\\d+$`));
      }),
    TEST_MS,
  );
});
