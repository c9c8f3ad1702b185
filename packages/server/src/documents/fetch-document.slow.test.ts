import { expect, test } from 'bun:test';
import { join } from 'node:path';

test('memory does not grow with endless bodies and decompression bombs', async () => {
  // In a process of its own: here other tests use memory, too.
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../testing/news/feed-memory.ts')], {
    stderr: 'inherit',
  });
  const { grown, peak } = (await new Response(child.stdout).json()) as { grown: number; peak: number };
  const mebi = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
  console.log(`20 endless bodies and 20 bombs of 1000 MB: ${mebi(grown)} MiB more, ${mebi(peak)} at the peak`);
  expect(grown).toBeLessThan(64 * 2 ** 20);
  expect(peak).toBeLessThan(160 * 2 ** 20);
});
