// `npm run e2e`: the tests in a browser, or with --responsiveness what a page bears under 2,000 ticks a second, by itself.
import { parseArgs } from 'node:util';

const HELP = `npm run e2e -- [NAME…]                            the browser tests, all or those whose file has the name
npm run e2e -- --responsiveness [--minutes N]   long tasks, memory and the first prices under load (0.5 minutes)

A browser is found as chromium, chromium-browser or google-chrome, or named in TICKWIRE_CHROMIUM.
`;

function read() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        responsiveness: { type: 'boolean' },
        minutes: { type: 'string' },
      },
    });
  } catch (error) {
    process.stderr.write(`e2e: ${(error as Error).message}\n\n${HELP}`);
    process.exit(2);
  }
}

const { values, positionals } = read();
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const minutes = values.minutes ?? '0.5';
if (!(Number(minutes) > 0 && Number(minutes) <= 1_440)) {
  process.stderr.write(`e2e: --minutes is ${minutes}: it must be a number above 0, up to 1440\n`);
  process.exit(2);
}
const files = values.responsiveness
  ? ['./e2e/responsiveness.measure.ts']
  : positionals.length > 0
    ? positionals.map((name) => `e2e/${name}`)
    : ['e2e'];
const child = Bun.spawn([process.execPath, 'test', ...files], {
  cwd: `${import.meta.dir}/..`,
  stdio: ['inherit', 'inherit', 'inherit'],
  env: { ...process.env, TICKWIRE_TEST_MINUTES: minutes },
});
process.exitCode = await child.exited;
