import { afterAll, expect, test } from 'bun:test';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../../testing/command.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';

const data = temporaryFolder();
const copies = temporaryFolder();
afterAll(() => {
  for (const folder of [data, copies]) rmSync(folder, { recursive: true, force: true });
});

test('copies a store to a new folder, and lists the files', async () => {
  expect(await runHere(['keys', 'create', '--name', 'kept'], { data })).toMatchObject({ status: 0 });
  writeFileSync(join(data, 'vapid.key'), 'the key of push messages', { mode: 0o600 });
  const folder = join(copies, 'good');
  const { status, out, err } = await runHere(['backup', folder], { data });
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(/tickwire\.db\n(.+\n)*\d+ files? copied\.\n$/);
  expect(readFileSync(join(folder, 'vapid.key'), 'utf8')).toBe('the key of push messages');
  expect(statSync(join(folder, 'vapid.key')).mode & 0o777).toBe(0o600);
  const listed = await runHere(['keys', 'list', '--json'], { data: folder });
  expect(JSON.parse(listed.out)).toMatchObject({ name: 'kept' });
});

test('copies the configured instruments file, and names the configured keys that are not included', async () => {
  const [instruments, delivery_key] = [join(copies, 'mine.json'), join(copies, 'elsewhere.key')];
  const folder = join(copies, 'configured');
  writeFileSync(instruments, '{"instruments":[{"symbol":"EURUSD","digits":6}]}');
  writeFileSync(delivery_key, Buffer.alloc(32).toString('base64'));
  const { status, out } = await runHere(['backup', folder], { data, instruments, delivery_key });
  expect(status).toBe(0);
  expect(readFileSync(join(folder, 'instruments.json'), 'utf8')).toBe(readFileSync(instruments, 'utf8'));
  expect(out).toContain(`Not included: ${delivery_key} (TICKWIRE_DELIVERY_KEY).`);
});

test('rejects a folder that is not empty, and a missing data folder, with a one-line error', async () => {
  const full = join(copies, 'full');
  await Bun.write(join(full, 'something'), 'of mine');
  writeFileSync(join(copies, 'file'), 'of mine');
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [['backup', full], { data }, 1, /is not an empty folder; choose/],
    [
      ['backup', join(copies, 'none')],
      { data: join(copies, 'nowhere') },
      1,
      /there is no data to back up: .* does not exist/,
    ],
    [['backup', join(copies, 'file')], { data }, 1, /file/],
    [['backup'], { data }, 2, /usage: tickwire backup FOLDER/],
  ];
  for (const [args, settings, status, says] of cases) {
    const ran = await runHere(args, settings);
    expect({ args, status: ran.status, out: ran.out }).toEqual({ args, status, out: '' });
    expect(ran.err.trim().split('\n')).toHaveLength(1);
    expect(ran.err).toMatch(says);
  }
});
