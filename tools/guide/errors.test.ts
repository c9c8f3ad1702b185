// The page of errors has every code of the catalogue and is current.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ERROR_CODES, ERRORS } from '@tickwire/contract';
import { ERROR_ADVICE } from './error-advice.ts';
import { ERRORS_PAGE, errorsPage } from './errors.ts';

test('docs/reference/errors.md is what tools/guide/errors.ts generates', () => {
  expect(readFileSync(ERRORS_PAGE, 'utf8')).toBe(errorsPage());
});

test('every code has exactly one anchor, with its title and what to do', () => {
  const page = errorsPage();
  // The anchor of a heading that consists of letters and underscores is its text.
  const anchors = [...page.matchAll(/^### ([a-z_]+)$/gm)].map(([, code]) => code);
  expect(anchors.toSorted()).toEqual(ERROR_CODES.toSorted());
  for (const code of ERROR_CODES) {
    const part = page.split(`### ${code}\n`)[1]!.split('\n### ')[0]!;
    expect(part).toContain(`**${ERRORS[code].title}**`);
    expect(part).toContain(`What to do: ${ERROR_ADVICE[code]}`);
  }
});

test('an error without a status or close code is described as a notice', () => {
  const silent = ERROR_CODES.filter((code) => ERRORS[code].status === undefined && ERRORS[code].close === undefined);
  expect(silent.length).toBeGreaterThan(0);
  expect(errorsPage().match(/notice on a stream, which stays open/g)).toHaveLength(silent.length);
});
