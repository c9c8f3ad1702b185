// The recipes of the guide show the files of this folder, which other tests run.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const RECIPES = [
  ['freqtrade.md', 'freqtrade/tickwire_strategy.py'],
  ['lean.md', 'lean/main.py'],
  ['react-chart.md', 'react-chart/chart.tsx'],
  ['react-chart.md', 'react-chart/main.tsx'],
  ['telegram-bot.md', 'telegram-bot.ts'],
] as const;

test.each(RECIPES)('%s shows %s as it is', (recipe, path) => {
  const page = readFileSync(join(import.meta.dir, '../docs/recipes', recipe), 'utf8');
  const shown = new Map(
    [...page.matchAll(/^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$/gms)].map(([, name, code]) => [name!, code!]),
  );
  expect(shown.get(path.split('/').at(-1)!)).toBe(readFileSync(join(import.meta.dir, path), 'utf8'));
});
