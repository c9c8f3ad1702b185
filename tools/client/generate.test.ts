import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { FOLDER, generated } from './generate.ts';

test.each(Object.entries(generated()))('%s of the client is current', (name, text) => {
  expect(readFileSync(`${FOLDER}/${name}`, 'utf8')).toBe(text);
});
