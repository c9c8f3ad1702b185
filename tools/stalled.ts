// Runs a command as on a busy machine: it and what it starts are stopped four fifths of the time, a quarter of a second at a stretch.
// A test that relies on short times fails then.
//
//   node packages/server/bin/bun.mjs tools/stalled.ts node packages/server/bin/bun.mjs test --timeout 600000 packages/engine
const RUN_MS = 60;
const STOP_MS = 240;

const [command, ...given] = process.argv.slice(2);
if (command === undefined) {
  process.stderr.write('Usage: tools/stalled.ts COMMAND…\n');
  process.exit(2);
}
// A group of processes of its own.
const child = Bun.spawn([command, ...given], { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
const send = (signal: NodeJS.Signals): void => {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => send('SIGKILL'));
while (child.exitCode === null && child.signalCode === null) {
  await Bun.sleep(RUN_MS);
  send('SIGSTOP');
  await Bun.sleep(STOP_MS);
  send('SIGCONT');
}
process.exit(child.exitCode ?? 1);
