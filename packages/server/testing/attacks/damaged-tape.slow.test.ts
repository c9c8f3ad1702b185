// One bit of the tape changes on the disk. The service still starts, says which block it leaves out, and declares the gap in the
// signal log; `doctor` and `verify` name file, instrument and minute.
import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LogPage } from '@tickwire/contract';
import { runHere } from '../command.fixture.ts';
import { killLeftovers, ServiceProcess } from '../process.fixture.ts';
import { temporaryFolder } from '../service.fixture.ts';

const data = temporaryFolder();
const settings = { data, sim_rate: '200', news: 'none', house: 'none' };

afterAll(async () => {
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

/** Changes one bit of the newest part of the tape, or of the newest block of EURUSD. */
function damage(symbol: '' | 'EURUSD'): { file: string; minute: string } {
  const tape = join(data, 'sim', 'tape');
  const file = join(
    tape,
    readdirSync(tape)
      .filter((name) => name.endsWith('.db'))
      .sort()
      .at(-1)!,
  );
  using database = new Database(file);
  const row = database
    .query<{ minute: number; first_seq: number; bytes: Uint8Array }, [string]>(
      'SELECT minute, first_seq, bytes FROM tape WHERE symbol = ? AND count > 0 ORDER BY minute DESC, first_seq DESC',
    )
    .get(symbol)!;
  row.bytes[row.bytes.length >> 1]! ^= 4;
  database
    .query('UPDATE tape SET bytes = ? WHERE symbol = ? AND minute = ? AND first_seq = ?')
    .run(row.bytes, symbol, row.minute, row.first_seq);
  return { file, minute: new Date(row.minute).toISOString().slice(0, 16) };
}

test('a changed bit is found, named and declared, and does not prevent the start', async () => {
  const first = await ServiceProcess.start(settings);
  await Bun.sleep(2_000);
  await first.kill();
  const damaged = [
    { symbol: 'any instrument', ...damage('') },
    { symbol: 'EURUSD', ...damage('EURUSD') },
  ];
  for (const command of ['doctor', 'verify']) {
    const { status, out } = await runHere([command], { ...settings, port: '0', metrics_port: 'off' });
    expect([command, status]).toEqual([command, 1]);
    for (const { file, symbol, minute } of damaged)
      expect(out).toContain(`${file} has a damaged block: ${symbol}, ${minute}`);
  }
  const second = await ServiceProcess.start(settings);
  const key = first.demoKey!;
  for (const { file, symbol, minute } of damaged) {
    const line = second.err.split('\n').find((each) => each.includes('is damaged') && each.includes(symbol))!;
    expect(line).toContain(file);
    expect(line).toContain(minute);
  }
  const log = (await (await second.get('/api/signals/log', key)).json()) as LogPage;
  const gaps = log.items.flatMap(({ record }) => (record.type === 'feed' && record.event === 'gap' ? [record] : []));
  expect(new Set(gaps.map(({ symbol }) => symbol)).size).toBeGreaterThan(10);
  // The first ticks of a minute may be of other instruments.
  const [earliest] = damaged.map(({ minute }) => minute).sort();
  expect(gaps.find(({ symbol }) => symbol === 'EURUSD')!.from).toStartWith(earliest!);
  expect((await second.stop()).status).toBe(0);
  // The log itself is sound: only the blocks are reported.
  const { out } = await runHere(['verify', '--json'], settings);
  const { findings } = JSON.parse(out) as { findings: { code: string }[] };
  expect(findings.map(({ code }) => code)).toEqual(['tape_block', 'tape_block']);
});
