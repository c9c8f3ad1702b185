// The scripts of this folder use no command that a first page does not name: each of their blocks `#> PAGE` has only lines of that
// page, and there is no command of the product outside of these blocks.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../testing/program.fixture.ts';

const FIRST_PAGES = [
  'README.md',
  'docs/index.md',
  'docs/start/typescript.md',
  'docs/start/python.md',
  'docs/self-hosting.md',
];
const SCRIPTS = ['start-service.sh', 'bot.sh', 'notebook.sh', 'self-hosting.sh'];
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Without quotes, the folder that stands in for /, and where the output goes. */
const commandOf = (line: string): string =>
  line
    .replaceAll(/"|\$PREFIX|\s+#.*$/g, '')
    .replaceAll('$clone', '/path/to/tickwire')
    .replace(/( >>?\S+)?( 2>&1)?( &)?$/, '')
    .trim();

/** Lines of code blocks, and code within sentences. */
const commandsOf = (page: string): Set<string> =>
  new Set(
    [...read(page).split('\n'), ...[...read(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)].map(commandOf),
  );

interface Step {
  readonly page: string;
  readonly commands: readonly string[];
}

/** The blocks of a script, and the lines outside of them. */
function parse(script: string): { readonly steps: readonly Step[]; readonly others: readonly string[] } {
  const steps: Step[] = [];
  const others: string[] = [];
  for (const paragraph of read(`examples/first-steps/${script}`).split(/\n\s*\n/)) {
    const [before = '', page, block = ''] = paragraph.split(/^ *#> (\S+)\n/m);
    others.push(...before.split('\n').filter((line) => !/^\s*(#|say )/.test(line)));
    if (page !== undefined) steps.push({ page, commands: block.split('\n').map(commandOf) });
  }
  return { steps, others };
}

test.each(SCRIPTS)('%s has only commands of the first pages', (script) => {
  const { steps, others } = parse(script);
  expect(steps.length).toBeGreaterThan(1);
  for (const { page, commands } of steps) {
    expect(FIRST_PAGES).toContain(page);
    const known = commandsOf(page);
    expect([page, commands.filter((each) => !known.has(each))]).toEqual([page, []]);
  }
  const ofProduct = /(^|[\s(;|&])(tickwire|npm|npx|node|python3|pip|jupyter|systemctl|systemd-run|useradd)\s/;
  expect(others.filter((line) => ofProduct.test(line))).toEqual([]);
});
