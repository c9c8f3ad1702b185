import { expect, test } from 'bun:test';

// In a process of its own: the clock of the other tests must not change.
test('the clock follows the system clock forward, and never goes back', async () => {
  const script = `
    import { steadyNow } from ${JSON.stringify(import.meta.resolve('./clock.ts'))};
    const systemNow = Date.now;
    const times = [];
    for (const shift of [0, 3_600_000, -3_600_000, 0]) {
      Date.now = () => systemNow() + shift;
      await Bun.sleep(20);
      times.push(steadyNow() - systemNow());
    }
    console.log(JSON.stringify(times));`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit', timeout: 60_000 });
  const ahead = JSON.parse(await new Response(child.stdout).text()) as number[];
  expect(ahead[0]).toBeWithin(-1_000, 1_000);
  // Once it is ahead, it stays ahead.
  for (const later of ahead.slice(1)) expect(later).toBeWithin(3_600_000 - 1_000, 3_600_000 + 1_000);
});
