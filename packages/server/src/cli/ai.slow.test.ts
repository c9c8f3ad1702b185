import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { sharedData, sharedDataMissing } from '../../testing/shared-data.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwire-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As a user runs it, from an unrelated folder. */
async function tickwire(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const command = fileURLToPath(new URL('../../bin/tickwire.mjs', import.meta.url));
  const child = Bun.spawn(['node', command, 'ai', ...args], { cwd: folder, stdout: 'pipe', stderr: 'pipe' });
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, out, err };
}

describe('tickwire ai', () => {
  test('score prints label, score and model', async () => {
    const { status, out } = await tickwire('score', 'Gold jumps to a record high on strong demand');
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/^bullish {2}0\.\d+ {2}headline-3-[0-9a-f]{8} {2}\d+ % sure\n$/),
    ]);
    const crypto = await tickwire('score', 'Bitcoin plunges as outflows grow', '--category', 'crypto', '--json');
    expect(JSON.parse(crypto.out)).toMatchObject({ sentiment: 'bearish' });
  });

  test('eval prints the results for a file, compressed or not, and lists unknown labels', async () => {
    const rows = [
      'Headline,Sentiment',
      '"Shares plunge, profit ""collapses""",negative',
      'Gold jumps to a record high,bullish',
      'Company to hold its annual meeting in May,neutral',
      'Oil steady,sideways',
    ];
    writeFileSync(join(folder, 'set.csv.gz'), gzipSync(rows.join('\n')));
    const { status, out } = await tickwire('eval', 'set.csv.gz', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      file: 'set.csv.gz',
      texts: 3,
      accuracy: 1,
      macro_f1: 1,
      left_out: { sideways: 1 },
      confusion: { bearish: { bearish: 1, neutral: 0, bullish: 0 }, bullish: { bullish: 1 } },
    });
    const plain = await tickwire('eval', 'set.csv.gz', '--category', 'gold');
    expect(plain.out).toContain('set.csv.gz: 3 texts by headline-3-');
    expect(plain.out).toMatch(/as published \(undecided below 50\.0 %\) +100\.0 % +100\.0 %\n/);
    expect(plain.out).toContain('Left out: 1 rows with unknown labels ("sideways" × 1)');
  });

  test('unreadable files give a one-line error', async () => {
    writeFileSync(join(folder, 'numbers.csv'), 'text,label\nGold rises,1\nGold falls,0\n');
    writeFileSync(join(folder, 'empty.csv'), '');
    const wrong: [string[], number, string][] = [
      [['eval', 'numbers.csv'], 1, 'none of the labels is known ("1" × 1, "0" × 1); use --map'],
      [['eval', 'empty.csv'], 1, 'the file contains no labelled texts'],
      [['eval', 'missing.csv'], 1, 'the file cannot be opened'],
      [['eval', 'numbers.csv', '--map', '1=up'], 2, '--map is "1=up"'],
      [['eval', 'numbers.csv', '--text', 'title'], 1, 'it has no text column "title"'],
      [['score', 'x', '--category', 'oil'], 2, '--category is "oil", but must be one of forex, gold, crypto, macro'],
      [['eval'], 2, 'usage: '],
    ];
    for (const [args, status, words] of wrong) {
      const ran = await tickwire(...args);
      expect([ran.status, ran.err.trim().split('\n').length, ran.out]).toEqual([status, 1, '']);
      expect(ran.err).toContain(words);
    }
  });

  const validation = 'headlines/twitter/sent_valid.csv';
  test.skipIf(sharedDataMissing(validation))(
    'reproduces the results of the model card on a public data set',
    async () => {
      const { out } = await tickwire(
        'eval',
        sharedData(validation),
        '--map',
        '0=bearish,1=bullish,2=neutral',
        '--json',
      );
      const { texts, accuracy, macro_f1: f1, likeliest, calibration } = JSON.parse(out);
      expect(texts).toBe(2_388);
      // Published: 85.4 / 81.6 by the most likely label; undecided texts may cost a point.
      expect(Math.abs(likeliest.accuracy - 0.854)).toBeLessThan(0.005);
      expect(Math.abs(likeliest.macro_f1 - 0.816)).toBeLessThan(0.005);
      expect(Math.abs(accuracy - 0.854)).toBeLessThan(0.01);
      expect(Math.abs(f1 - 0.816)).toBeLessThan(0.01);
      expect(calibration.expected_error).toBeLessThan(0.03);
    },
  );
});
