import { expect, test } from 'bun:test';
import { join } from 'node:path';

const STALLED = join(import.meta.dir, 'stalled.ts');
const run = async (script: string): Promise<{ code: number; out: string }> => {
  const child = Bun.spawn([process.execPath, STALLED, process.execPath, '-e', script], { stdout: 'pipe' });
  return { out: await new Response(child.stdout).text(), code: await child.exited };
};

test('a command is stopped again and again, and its status is returned', async () => {
  const { code, out } = await run(`
    let [last, stops] = [performance.now(), 0];
    while (stops < 3) {
      const now = performance.now();
      if (now - last > 200) stops++;
      last = now;
    }
    console.log(stops);
    process.exit(3);`);
  expect([code, out]).toEqual([3, '3\n']);
});

test('what a command starts is stopped, too', async () => {
  const child = `let last = performance.now(); for (;;) { const now = performance.now(); if (now - last > 200) break; last = now; }`;
  const { code } = await run(
    `process.exit(await Bun.spawn([process.execPath, '-e', ${JSON.stringify(child)}]).exited)`,
  );
  expect(code).toBe(0);
});
