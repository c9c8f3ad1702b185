import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { createAccount } from '../access/issue-key.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';

test('after a kill, all completed AI calls are counted, and at most one interrupted call', async () => {
  const folder = temporaryFolder();
  const { access: store, close } = openSqliteAccessStore(folder);
  const account = await createAccount({ store, actor: 'test', now: Date.now() }, 'tester', 'free', true);
  const counted = async (): Promise<number> => (await store.usage())[0]?.aiCalls ?? 0;
  const script = fileURLToPath(new URL('../../testing/ai/counting-process.fixture.ts', import.meta.url));
  for (let time = 0; time < 3; time++) {
    const before = await counted();
    const child = Bun.spawn([process.execPath, script, folder, String(account.id)], { stdout: 'pipe' });
    const answered = new Response(child.stdout).text();
    await eventually('a few calls', async () => (await counted()) > before + 5);
    child.kill('SIGKILL');
    await child.exited;
    expect((await counted()) - before - (await answered).length).toBeWithin(0, 2);
  }
  close();
  rmSync(folder, { recursive: true, force: true });
});
