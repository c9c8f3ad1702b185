// The table in docs/indicators.md is that of the catalogue.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { INDICATOR_CATALOGUE, type IndicatorEntry, type IndicatorInput } from './indicator-catalogue.ts';

const PAGE = new URL('../../../../docs/indicators.md', import.meta.url);

const code = (text: string | number): string => `\`${text}\``;
const inputOf = (input: IndicatorInput): string => `${code(input.name)} ${input.default}`;
const rowOf = ({ name, aliases = [], title, inputs, lines, formula }: IndicatorEntry): string =>
  `| ${[
    [name, ...aliases].map(code).join(', '),
    title,
    inputs.map(inputOf).join(', '),
    lines.map(code).join(', '),
    formula.replaceAll('|', '\\|'),
  ].join(' | ')} |`;

test('lists every indicator with its inputs, lines and formula', () => {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => /^\| `[a-z]+`.* \| .* \| .* \| .* \| .* \|$/.test(line));
  expect(rows).toEqual((INDICATOR_CATALOGUE as readonly IndicatorEntry[]).map(rowOf));
});
