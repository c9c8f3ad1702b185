import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipOf } from '../../../testing/import/zip.fixture.ts';
import { ImportError } from '../import-error.ts';
import { SIZE_LIMITS } from './size-guard.ts';
import { CHUNK_BYTES, SourceFile } from './source-file.ts';
import { asUtf8 } from './text-encoding.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwire-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LINES = Array.from({ length: 60_000 }, (_, index) => `${index},1.${index % 7},${(index * 7919) % 1009}\n`).join(
  '',
);

function fileOf(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Name and text of everything in a file. */
async function contentsOf(path: string, limits = {}): Promise<[string, string][]> {
  const source = await SourceFile.open(path, { ...SIZE_LIMITS, ...limits });
  try {
    const contents: [string, string][] = [];
    for (const { name, chunks } of await source.entries()) {
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of chunks()) text += decoder.decode(chunk, { stream: true });
      contents.push([name.slice(path.length), text]);
    }
    return contents;
  } finally {
    await source.close();
  }
}

async function faultOf(path: string, limits = {}): Promise<string> {
  try {
    await contentsOf(path, limits);
    return 'none';
  } catch (error) {
    if (error instanceof ImportError) return error.fault;
    throw error;
  }
}

describe('SourceFile', () => {
  test('reads plain and gzip files in chunks and reports progress in bytes on disk', async () => {
    for (const [name, bytes] of [
      ['plain.csv', LINES],
      ['one.csv.gz', gzipSync(LINES)],
      ['two-members.csv.gz', Buffer.concat([gzipSync(LINES.slice(0, 1000)), gzipSync(LINES.slice(1000))])],
    ] as const) {
      const path = fileOf(name, bytes);
      expect(await contentsOf(path)).toEqual([['', LINES]]);
      const source = await SourceFile.open(path, SIZE_LIMITS);
      const [entry] = await source.entries();
      for await (const chunk of entry!.chunks()) expect(chunk.length).toBeLessThanOrEqual(CHUNK_BYTES);
      expect(source.bytesRead).toBe(source.bytesTotal);
      await source.close();
    }
  });

  test('rejects a missing file and a folder', async () => {
    expect(await faultOf(join(folder, 'nothing.csv'))).toBe('no_such_file');
    expect(await faultOf(folder)).toBe('no_such_file');
  });

  test('reports a gzip that is cut anywhere as truncated', async () => {
    const whole = gzipSync(LINES);
    for (const length of [whole.length - 1, whole.length - 9, Math.floor(whole.length / 2), 12]) {
      expect(await faultOf(fileOf('cut.csv.gz', whole.subarray(0, length)))).toBe('truncated_archive');
    }
  });

  test('rejects a damaged gzip and a text file with its name', async () => {
    const whole = Buffer.from(gzipSync(LINES));
    whole[whole.length >> 1]! ^= 0xff;
    expect(['damaged_archive', 'truncated_archive']).toContain(await faultOf(fileOf('damaged.csv.gz', whole)));
    expect(await faultOf(fileOf('text.csv.gz', 'time,bid,ask\n'))).toBe('damaged_archive');
  });

  test.each([
    ['7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
    ['rar', [0x52, 0x61, 0x72, 0x21, 0x1a, 7]],
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ])('rejects %s archives', async (name, magic) => {
    const path = fileOf(`x.${name}`, Uint8Array.from(magic));
    expect(await faultOf(path)).toBe('unsupported_archive');
  });

  test('stops reading a gzip bomb', async () => {
    const bomb = gzipSync(new Uint8Array(64 << 20));
    expect(await faultOf(fileOf('bomb.gz', bomb))).toBe('archive_too_large');
    expect(await faultOf(fileOf('long.gz', gzipSync(LINES)), { maxBytes: 1000 })).toBe('archive_too_large');
  });
});

describe('zip files', () => {
  const files = [
    { name: 'a.csv', content: LINES },
    { name: 'folder/', content: '' },
    { name: '__MACOSX/._a.csv', content: 'x' },
    { name: 'folder/b.txt', content: 'hello', method: 0 },
  ];
  const expected: [string, string][] = [
    ['!a.csv', LINES],
    ['!folder/b.txt', 'hello'],
  ];

  test('reads every entry, deflated or stored', async () => {
    expect(await contentsOf(fileOf('many.zip', zipOf(files)))).toEqual(expected);
    expect(await contentsOf(fileOf('comment.zip', zipOf(files, { comment: 'a comment at the end' })))).toEqual(
      expected,
    );
  });

  test('reads ZIP64 sizes', async () => {
    expect(await contentsOf(fileOf('zip64.zip', zipOf(files, { zip64: true })))).toEqual(expected);
  });

  test('reports a zip that is cut anywhere as truncated', async () => {
    const whole = zipOf(files);
    for (const length of [whole.length - 1, whole.length - 30, Math.floor(whole.length / 2), 40]) {
      expect(await faultOf(fileOf('cut.zip', whole.subarray(0, length)))).toBe('truncated_archive');
    }
  });

  test('rejects encrypted, unsupported and damaged entries', async () => {
    const one = (change: object) => zipOf([{ name: 'a.csv', content: LINES, ...change }]);
    expect(await faultOf(fileOf('secret.zip', one({ flags: 1 })))).toBe('encrypted_archive');
    expect(await faultOf(fileOf('strong.zip', one({ flags: 0x41 })))).toBe('encrypted_archive');
    expect(await faultOf(fileOf('lzma.zip', one({ method: 14 })))).toBe('unsupported_archive');
    expect(await faultOf(fileOf('crc.zip', one({ declaredCrc: 1 })))).toBe('damaged_archive');
    expect(await faultOf(fileOf('longer.zip', one({ declaredSize: 10 })))).toBe('damaged_archive');
    expect(await faultOf(fileOf('shorter.zip', one({ declaredSize: LINES.length + 1 })))).toBe('truncated_archive');
    expect(await faultOf(fileOf('empty.zip', zipOf([])))).toBe('empty_file');
  });

  test('rejects bombs: high compression, a wrong size, overlapping entries, too many entries', async () => {
    const zeros = new Uint8Array(32 << 20);
    const dense = { name: 'a.csv', content: zeros };
    expect(await faultOf(fileOf('dense.zip', zipOf([dense])))).toBe('archive_too_large');
    expect(await faultOf(fileOf('lying.zip', zipOf([{ ...dense, declaredSize: 1000 }])))).toBe('damaged_archive');
    const many = Array.from({ length: 50 }, (_, index) => ({ name: `${index}.csv`, content: 'x' }));
    expect(await faultOf(fileOf('many-entries.zip', zipOf(many)), { maxEntries: 49 })).toBe('archive_too_large');
    const twin = zipOf([
      { name: 'a.csv', content: LINES },
      { name: 'b.csv', content: 'x' },
    ]);
    // The second entry of the directory gets the data of the first one.
    const view = new DataView(twin.buffer);
    const second = twin.length - 22 - 51;
    view.setUint32(second + 20, view.getUint32(second - 51 + 20, true), true);
    view.setUint32(second + 42, 0, true);
    expect(await faultOf(fileOf('twin.zip', twin))).toBe('damaged_archive');
  });

  test('accepts any entry name: names are only labels', async () => {
    const names = ['../up.csv', '/root.csv', 'C:/drive.csv', 'back\\slash.csv', 'naïve.csv'];
    const entries = names.map((name) => ({ name, content: 'x', flags: 0x800 }));
    expect(await contentsOf(fileOf('names.zip', zipOf(entries)))).toEqual(
      names.map((name) => [`!${name.replace('\\', '/')}`, 'x']),
    );
  });
});

describe('asUtf8', () => {
  async function decoded(bytes: Uint8Array, step: number): Promise<string> {
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
    }
    let text = '';
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for await (const chunk of asUtf8(chunks())) text += decoder.decode(chunk, { stream: true });
    return text;
  }
  const text = `<DATE>\t<TIME>\t<BID>\r\n2024.01.02\t00:00\t1.1 é 😀\r\n${'x'.repeat(200)}`;
  const little = Buffer.from(text, 'utf16le');

  test.each([1, 2, 3, 7, 64, 1000])('converts any encoding to UTF-8, in chunks of %d bytes', async (step) => {
    expect(await decoded(Buffer.from(text), step)).toBe(text);
    expect(await decoded(Buffer.from(`\ufeff${text}`), step)).toBe(text);
    expect(await decoded(little, step)).toBe(text);
    expect(await decoded(Buffer.concat([Buffer.from([0xff, 0xfe]), little]), step)).toBe(text);
    expect(await decoded(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(little).swap16()]), step)).toBe(text);
  });
});
