// The compact recordings are small, have licences, and are parts of the full ones.
import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { Glob } from 'bun';
import { SIZE_LIMITS } from '../src/import/files/size-guard.ts';
import { SourceFile } from '../src/import/files/source-file.ts';
import { recording, sharedData, sharedDataMissing } from './shared-data.fixture.ts';

const MAX_BYTES = 6e6;
const FILES = [...new Glob('**/*').scanSync(recording('.'))].sort();
const DATA = FILES.filter((path) => !/(LICENSE|README)[^/]*$/.test(path));

/** The text of a file, of a gzip file, or of the only entry of a zip. */
async function textOf(path: string): Promise<string> {
  const source = await SourceFile.open(path, SIZE_LIMITS);
  const [entry] = await source.entries();
  const decoder = new TextDecoder('latin1');
  let text = '';
  for await (const chunk of entry!.chunks()) text += decoder.decode(chunk, { stream: true });
  await source.close();
  return text;
}

test('the recordings are small', () => {
  expect(DATA.length).toBeGreaterThan(80);
  expect(FILES.reduce((sum, path) => sum + statSync(recording(path)).size, 0)).toBeLessThan(MAX_BYTES);
});

test('each recording has the licence of its source', () => {
  const licensed = FILES.filter((path) => /\/LICENSE[^/]*$/.test(path)).map((path) => path.replace(/LICENSE.*$/, ''));
  expect(DATA.filter((path) => !licensed.some((folder) => path.startsWith(folder)))).toEqual([]);
});

test.skipIf(sharedDataMissing('.'))('each is a part of the full recording', async () => {
  for (const path of DATA) {
    const [part, whole] = [await textOf(recording(path)), await textOf(sharedData(path))];
    const isPart = path.startsWith('binance-spot/') ? isWithoutDepth : isWindow;
    expect([path, isPart(part, whole)]).toEqual([path, true]);
  }
});

/** Consecutive lines, after the header if there is one. */
function isWindow(part: string, whole: string): boolean {
  const header = /^[a-z][^\n]*\n/i.exec(part)?.[0] ?? '';
  return whole.startsWith(header) && whole.includes(part.slice(header.length));
}

/** Every line but most depth updates. */
function isWithoutDepth(part: string, whole: string): boolean {
  let depth = 0;
  const kept = whole.split('\n').filter((line) => !line.includes('@depth') || ++depth <= 40);
  return kept.join('\n') === part;
}
