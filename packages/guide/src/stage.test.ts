import { expect, test } from 'bun:test';
import type { SitePage } from './contents.ts';
import { stagePage } from './stage.ts';

const page = (source: string, path: string): SitePage => ({ source, path, title: path });
const PAGES = [
  page('docs/index.md', 'index'),
  page('docs/streaming.md', 'streaming'),
  page('docs/recipes/pandas.md', 'recipes/pandas'),
  page('packages/client/README.md', 'clients/typescript'),
];
const staged = (at: number, text: string): string =>
  stagePage(PAGES[at]!, `# Title\n\n${text}`, PAGES).markdown.split('\n\n').slice(1).join('\n\n');

test('links between files become links between pages, wherever the files are', () => {
  expect(staged(2, 'See [streams](../streaming.md#resume).')).toBe('See [streams](../streaming.md#resume).');
  expect(staged(3, '[streams](../../docs/streaming.md)')).toBe('[streams](../streaming.md)');
  expect(staged(1, '[client](../packages/client/README.md#streams)')).toBe('[client](./clients/typescript.md#streams)');
});

test('links to other files are plain text, links to the service leave the site, others stay', () => {
  expect(staged(1, 'See [`hub.ts`](../packages/server/src/ws/hub.ts).')).toBe('See `hub.ts`.');
  expect(staged(1, '[reference](/docs/errors)')).toBe('<a href="/docs/errors" target="_self">reference</a>');
  expect(staged(1, '[here](#a) and [there](https://example.org/)')).toBe(
    '[here](#a) and [there](https://example.org/)',
  );
});

test('pictures are collected, also those that are links', () => {
  const { markdown, pictures } = stagePage(
    PAGES[2]!,
    '# Title\n\n![A](../pictures/a.png)\n\n<img alt="B" src="../pictures/b.png">',
    PAGES,
  );
  expect(markdown).toContain('![A](../pictures/a.png)');
  expect(markdown).toContain('src="../pictures/b.png"');
  expect(pictures).toEqual(['docs/pictures/a.png', 'docs/pictures/b.png']);
});

test('code blocks stay as they are, without the directives above them', () => {
  expect(staged(1, '<!-- run: until 3 lines -->\n```sh\necho "[a](b.md)"\n```')).toBe('```sh\necho "[a](b.md)"\n```');
});

test('heading and first sentence describe the page', () => {
  const text = '# The `seq` of *events*\n\n![A](pictures/a.png)\n\nEvery [message](index.md) has one. It rises.\n';
  expect(stagePage(PAGES[1]!, text, PAGES)).toMatchObject({
    heading: 'The seq of events',
    description: 'Every message has one.',
  });
  expect(() => stagePage(PAGES[1]!, 'No heading', PAGES)).toThrow('docs/streaming.md has no heading');
});
