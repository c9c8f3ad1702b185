import { describe, expect, test } from 'bun:test';
import { blocksOf } from './blocks.ts';
import { wrongExample, wrongText } from './example-output.ts';

describe('code blocks of a page', () => {
  test('have a language, a line and a directive', () => {
    const page =
      '# A\n\n```sh\nls\n```\n\n<!-- run: until 3 lines -->\n```ts\nwork();\n```\n\n### C\n\n1. B\n\n   ```json\n   {}\n   ```\n';
    expect(blocksOf(page)).toEqual([
      { language: 'sh', text: 'ls', line: 3, directive: { kind: 'run' }, heading: 1, section: 1 },
      { language: 'ts', text: 'work();', line: 8, directive: { kind: 'lines', lines: 3 }, heading: 1, section: 1 },
      { language: 'json', text: '{}', line: 16, directive: { kind: 'run' }, heading: 2, section: 1 },
    ]);
  });

  test('may be files, run in the background, fail, or not be run for a reason', () => {
    const kinds = [
      'file: a/b.ts',
      'run: background',
      'run: fails',
      'run: service',
      'run: socket /ws/news',
      'run: output of the background',
      'not run: docker',
    ];
    const directives = kinds.flatMap((text) => blocksOf(`<!-- ${text} -->\n\`\`\`sh\n\`\`\``));
    expect(directives.map(({ directive }) => directive)).toEqual([
      { kind: 'file', name: 'a/b.ts' },
      { kind: 'background' },
      { kind: 'fails' },
      { kind: 'service' },
      { kind: 'socket', path: '/ws/news' },
      { kind: 'background output' },
      { kind: 'not run', name: 'docker' },
    ]);
  });

  test('with an unknown directive, without an end, or a directive without a block are errors', () => {
    expect(() => blocksOf('<!-- run: sometimes -->\n```sh\n```')).toThrow('not a directive');
    expect(() => blocksOf('```sh\nls')).toThrow('no end');
    expect(() => blocksOf('<!-- run: fails -->\n\n```sh\n```')).toThrow('not above a code block');
  });
});

describe('an example of output', () => {
  const real = '{"symbol":"EURUSD","bid":1.1,"items":[{"a":1},{"b":"x"}],"note":null}\n{"event":"subscribed"}';
  test.each([
    ['{"symbol":"XAUUSD","bid":2}', true],
    ['{"symbol":"XAUUSD","price":2}', false],
    ['{"bid":"1.1"}', false],
    ['{"items":[{"b":"y"}]}', true],
    ['{"items":[{"c":1}]}', false],
    ['{"note":"text","items":[…]}', true],
    ['{"event":"subscribed"}\n{"bid":1}', true],
    ['{"event":', false],
  ])('%s', (example, fits) => {
    expect(wrongExample(example, real) === null).toBe(fits);
  });
});

describe('an example of text', () => {
  const real =
    'watching 1.18942\nEURUSD ask crossed above 1.18942\npublished sig_4c8x1v0q: buy at 1.18943\n  key tw_abc_def, once';
  test.each([
    ['watching 1.2\n\nEURUSD ask crossed below 1.2', true],
    ['published sig_1: sell at 2\n…', true],
    ['  key tw_…, once', true],
    ['published sig_1: hold at 2', false],
    ['EURUSD bid crossed above 1.2', false],
    ['watching', false],
  ])('%s', (example, fits) => {
    expect(wrongText(example, real) === null).toBe(fits);
  });
});
