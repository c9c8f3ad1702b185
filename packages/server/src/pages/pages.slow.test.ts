import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { REFERENCE_PAGES } from './reference/domains.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
});
afterAll(() => service.stop());

const get = (path: string): Promise<Response> => fetch(service.url + path);

test('the API reference has a small script, a search index, Markdown versions, and an index of them', async () => {
  const html = await (await get('/docs')).text();
  const script = html.slice(html.lastIndexOf('<script>'));
  expect(Bun.gzipSync(script).length).toBeLessThan(6_000);
  const index = await get('/docs/search.json');
  expect(index.headers.get('content-type')).toBe('application/json');
  expect(((await index.json()) as { entries: unknown[] }).entries.length).toBeGreaterThan(1_000);
  const list = await get('/llms.txt');
  expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const linked = [...(await list.text()).matchAll(/\]\((\/docs[^)]*)\)/g)].map(([, path]) => path!);
  expect(linked).toEqual(REFERENCE_PAGES.map(({ path }) => `${path}.md`));
  for (const path of linked) {
    const response = await get(path);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/markdown; charset=utf-8',
    ]);
    expect(await response.text()).toStartWith('# ');
  }
});
