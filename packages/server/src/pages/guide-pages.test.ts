import { describe, expect, test } from 'bun:test';
import { silentLog } from '../ops/log.ts';
import { GuidePages } from './guide-pages.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const FILES = new Map([
  ['index.html', bytes('<script>first()</script><h1>Guide</h1>')],
  ['404.html', bytes('<h1>Not found</h1>')],
  ['streaming.html', bytes('<script>first()</script><script id="a">second()</script><script src="/x.js"></script>')],
  ['streaming.md', bytes('# Streaming')],
  ['decisions/0001-a.html', bytes('<h1>A</h1>')],
  ['assets/app.js', bytes('work()')],
]);
const LISTED = [
  { path: 'streaming', title: 'Streaming', description: 'Live data.', section: 'Guides', label: 'Streams' },
];
const unbuilt = (): GuidePages =>
  new GuidePages(
    silentLog,
    () => Promise.reject(new Error('no tools')),
    10,
    async () => LISTED,
  );
const textOf = ({ content }: { content: { body: string | Uint8Array } }): string =>
  typeof content.body === 'string' ? content.body : new TextDecoder().decode(content.body);

describe('the guide', () => {
  const guide = new GuidePages(silentLog, async () => FILES);

  test.each([
    ['/guide', 'Guide', 'text/html; charset=utf-8'],
    ['/guide/', 'Guide', 'text/html; charset=utf-8'],
    ['/guide/streaming', 'second', 'text/html; charset=utf-8'],
    ['/guide/streaming.md', '# Streaming', 'text/markdown; charset=utf-8'],
    ['/guide/decisions/0001-a', '<h1>A</h1>', 'text/html; charset=utf-8'],
    ['/guide/assets/app.js', 'work()', 'text/javascript; charset=utf-8'],
  ])('%s', async (path, text, type) => {
    const page = await guide.page(path);
    expect([page.status ?? 200, page.headers['Content-Type']]).toEqual([200, type]);
    expect(textOf(page)).toContain(text);
  });

  test('has a page of its own for addresses that do not exist', async () => {
    const page = await guide.page('/guide/../../etc/passwd');
    expect([page.status, textOf(page)]).toEqual([404, '<h1>Not found</h1>']);
  });

  test('allows the scripts in its pages by their hashes, and no others', async () => {
    const policy = (await guide.page('/guide/streaming')).headers['Content-Security-Policy']!;
    const hash = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash('first()')}' 'sha256-${hash('second()')}';`);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });

  test('is listed for language models, as Markdown, also before it is built', async () => {
    expect(textOf(await unbuilt().llms())).toContain('[Streaming](/guide/streaming.md): Live data.');
  });

  test('is listed for the terminal, also before it is built', async () => {
    const list = await unbuilt().page('/guide/pages.json');
    expect([list.status ?? 200, list.headers['Content-Type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(textOf(list))).toEqual(LISTED);
  });

  test('is read once', async () => {
    let read = 0;
    const counted = new GuidePages(silentLog, async () => {
      read++;
      return FILES;
    });
    await Promise.all([counted.page('/guide/'), counted.page('/guide/streaming')]);
    expect(read).toBe(1);
  });

  test('says that it is being built, and opens once it is', async () => {
    const built = Promise.withResolvers<typeof FILES>();
    const slow = new GuidePages(
      silentLog,
      (onStep) => {
        onStep?.('2 of 3: translating the pages');
        return built.promise;
      },
      10,
    );
    const page = await slow.page('/guide/');
    expect([page.status, textOf(page)]).toEqual([503, expect.stringContaining('http-equiv="refresh"')]);
    expect(textOf(page)).toContain('<progress max="3" value="2"></progress> 2 of 3: translating the pages');
    built.resolve(FILES);
    await Bun.sleep(0);
    expect((await slow.page('/guide/')).status).toBeUndefined();
  });

  test('says how to build it if that failed, and tries again', async () => {
    let fails = true;
    const broken = new GuidePages(silentLog, async () => {
      if (fails) throw new Error('no tools');
      return FILES;
    });
    const page = await broken.page('/guide/');
    expect([page.status, textOf(page)]).toEqual([503, expect.stringContaining('npm run guide')]);
    fails = false;
    expect((await broken.page('/guide/')).status).toBeUndefined();
  });
});
