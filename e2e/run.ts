// `npm run e2e`: runs the browser tests, or with --responsiveness measures a page under 2,000 ticks per second.
import { parseArgs } from 'node:util';

const HELP = `npm run e2e -- [NAME…]                            runs all browser tests, or those whose file name contains NAME
npm run e2e -- --update-pictures [NAME…]          the same, and stores the pages as they look now in e2e/pictures
npm run e2e -- --responsiveness [--minutes N]   measures long tasks, memory and time to first price (default: 0.5 minutes)

The browser is chromium, chromium-browser or google-chrome on the PATH, or the path in TICKWIRE_CHROMIUM. Tests that show no
notifications use chromium-headless-shell if it is there: it is faster.
`;

function read() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        responsiveness: { type: 'boolean' },
        'update-pictures': { type: 'boolean' },
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
  process.stderr.write(`e2e: --minutes must be a number above 0 and up to 1440, not ${minutes}\n`);
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
  env: {
    ...process.env,
    TICKWIRE_TEST_MINUTES: minutes,
    ...(values['update-pictures'] && { TICKWIRE_TEST_UPDATE_PICTURES: '1' }),
  },
});
process.exitCode = await child.exited;
