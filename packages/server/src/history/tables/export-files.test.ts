import { expect, test } from 'bun:test';
import { Abandoned } from '../../work/work-scheduler.ts';
import { ExportFiles, type FileRequest } from './export-files.ts';

const request = (key: string, signal = new AbortController().signal): FileRequest => ({
  ...{ key, maxRows: 1, account: 'pub_a', isPart: false, isSettled: true, signal },
  write: () => ({
    pieces: (async function* () {
      yield new Uint8Array(3);
    })(),
    summary: () => ({ rows: 1, marks: [], gaps: 0 }),
  }),
});

test('a file whose clients leave before its first slice gives its place back', async () => {
  let hasLeft = true;
  const share = <T>(_account: string, _signal: unknown, work: () => Promise<T>): Promise<T> =>
    hasLeft ? Promise.reject(new Abandoned()) : work();
  const files = new ExportFiles({ share }, () => 0);
  for (const key of ['one', 'two', 'three'])
    expect(await files.open(request(key)).catch((error) => error)).toBeInstanceOf(Abandoned);
  hasLeft = false;
  const file = await files.open(request('one'));
  expect(file.size).toBe(3);
  file.release();
  files.close();
});

test('a file is not written for a client that has already left', async () => {
  let writes = 0;
  const share = <T>(_account: string, _signal: unknown, work: () => Promise<T>): Promise<T> => {
    writes++;
    return work();
  };
  const files = new ExportFiles({ share }, () => 0);
  expect(await files.open(request('one', AbortSignal.abort())).catch((error) => error)).toBeInstanceOf(Abandoned);
  expect(writes).toBe(0);
  files.close();
});
