// Every code block of the site that `npm run guide:check` does not run: why, and how it is checked instead. A block names its
// entry in the line above, `<!-- not run: docker -->`; a block without one is run. A test compares this list with the pages.
import {
  AmendedSignal,
  ChannelRequest,
  Evidence,
  ExitedSignal,
  FilledSignal,
  Perpetual,
  PerpetualFigures,
  PerpetualLiquidation,
  PublishedSignal,
  SentimentCertainty,
  SignalRequest,
  SymbolSentiment,
  TradingHours,
} from '@tickwire/contract';
import { Glob } from 'bun';
import { parseCalendarSources } from '../../packages/server/src/calendar/sources/sources-file.ts';
import { parseSources } from '../../packages/server/src/news/sources/sources-file.ts';
import {
  addressesOfOthers,
  agentSettings,
  all,
  assignedSettings,
  type Check,
  chartingLibrary,
  composeServices,
  coveredBy,
  documents,
  grafanaSource,
  has,
  json,
  kernelSettings,
  npmScripts,
  ownWords,
  powerQuery,
  pythonSyntax,
  ROOT,
  read,
  require,
  settingsFile,
  shell,
  shellSyntax,
  tickwireCommands,
  variablesOf,
} from './block-checks.ts';
import type { Block } from './blocks.ts';

export interface Unexecuted {
  readonly reason: string;
  readonly checks: readonly Check[];
}

/** A request by curl, or messages of the channel. */
const perpetual: Check = (text) =>
  text.startsWith('{')
    ? documents(ChannelRequest, Perpetual.strict(), PerpetualFigures, PerpetualLiquidation)(text)
    : shellSyntax(text);

export const UNEXECUTED: Readonly<Record<string, Unexecuted>> = {
  // Installing and starting.
  'a clone': {
    reason: 'The last step of .ci/run installs a clean copy of the repository and starts it.',
    checks: [...shell, coveredBy('.ci/run', 'npm ci', 'npm start')],
  },
  'all packages': {
    reason: 'The tests of packages install each of them in an empty folder and start it.',
    checks: [
      ...shell,
      coveredBy('tools/pack/service-package.slow.test.ts', 'npx'),
      coveredBy('Dockerfile', 'HEALTHCHECK'),
    ],
  },
  'a bot over yesterday': {
    reason: 'examples/examples.slow.test.ts starts it from the checkout, and checks the record that it prints.',
    checks: [...shell, coveredBy('examples/examples.slow.test.ts', 'replay-')],
  },
  'the client package': {
    reason: 'tools/pack/client-package.slow.test.ts runs these lines of the page with the packed file and Node 22.',
    checks: [shellSyntax, coveredBy('tools/pack/client-package.slow.test.ts', 'docs/start/typescript.md')],
  },
  'the output of the client package': {
    reason: 'The same test compares it with what the bot prints.',
    checks: [coveredBy('tools/pack/client-package.slow.test.ts', 'wrongText')],
  },
  'an npm install': {
    reason: 'The package is not on the registry. The tests of packages install the packed file.',
    checks: [shellSyntax, coveredBy('tools/pack/client-package.slow.test.ts', 'install(')],
  },
  'the Python package': {
    reason: 'tools/pack/python-package.slow.test.ts runs these lines of the page without a network.',
    checks: [...shell, coveredBy('tools/pack/python-package.slow.test.ts', 'docs/start/python.md')],
  },
  'a notebook': {
    reason: 'examples/first-steps/notebook.sh runs these lines with the packages of Debian.',
    checks: [shellSyntax, coveredBy('examples/first-steps/notebook.sh', '#> docs/start/python.md', 'jupyter execute')],
  },
  'a pip install': {
    reason:
      'It installs into the Python of this machine. The tests of packages install the wheel and the sdist in a folder.',
    checks: [...shell, coveredBy('tools/pack/python-package.slow.test.ts', '--no-build-isolation')],
  },
  'the Python verifier': {
    reason: 'It needs the installed package. The tests of the package run the command against a service.',
    checks: [shellSyntax, coveredBy('python/tests/test_service.py', 'tickwire.verify.command')],
  },
  'the banner': {
    reason: 'It is printed once, by the first start of the service that all pages use.',
    checks: [ownWords('packages/server/src/cli/serve.ts')],
  },
  'the tests': {
    reason: 'These commands are steps of .ci/run.',
    checks: [...shell, coveredBy('.ci/run', 'npm test', 'npm run guide:check')],
  },
  'the Python tests': {
    reason: 'python/run-tests takes minutes, and is a step of .ci/run.',
    checks: [...shell, coveredBy('.ci/run', 'python/run-tests')],
  },
  'the benchmark': {
    reason: 'It takes a quarter of an hour. Its harness has tests.',
    checks: [...shell, coveredBy('bench/run.ts', 'brokers')],
  },
  'the Python reference': {
    reason: 'Signatures, and examples with placeholders. A test of the package binds their calls to the methods.',
    checks: [coveredBy('python/tests/test_package.py', 'docs/reference/python.md')],
  },

  // Programs of others.
  docker: {
    reason: 'Docker is not on this machine. Tests in deploy/ compare the compose files with the code.',
    checks: [...shell, composeServices('deploy/compose.yaml')],
  },
  'docker for Grafana': {
    reason: 'Docker is not on this machine. A test in deploy/ runs the queries of the dashboard against a service.',
    checks: [...shell, composeServices('deploy/grafana/compose.yaml'), variablesOf('deploy/grafana/compose.yaml')],
  },
  'a file of Grafana': { reason: 'Grafana reads it.', checks: [grafanaSource] },
  'a public Caddy': {
    reason: 'It needs Caddy and a public host name.',
    checks: [...shell, variablesOf('deploy/Caddyfile')],
  },
  'a local Caddy': {
    reason: 'It needs Caddy.',
    checks: [...shell, variablesOf('deploy/Caddyfile'), coveredBy('deploy/Caddyfile', '\theader Strict', '{\n')],
  },
  systemd: {
    reason:
      'It needs systemd as the first process, and root. examples/first-steps/self-hosting.sh runs those of one process with a stand-in.',
    checks: [
      ...shell,
      coveredBy('deploy/systemd/tickwire@.service', '/opt/tickwire/', '/etc/tickwire/%i.env', 'User=tickwire'),
    ],
  },
  kubectl: {
    reason: 'It needs a cluster. A test in deploy/ builds and checks its objects.',
    checks: [
      ...shell,
      coveredBy(
        'deploy/kubernetes/secret.example.yaml',
        'tickwire.json',
        'gateway.json',
        'log-key.pem',
        'two-factor.key',
      ),
      coveredBy('deploy/kubernetes.test.ts', 'tickwire-gateway', 'tickwire-ingest'),
    ],
  },
  'moving to a cluster': {
    reason: 'It needs a stopped process and an empty database. The tests of the archive move a store both ways.',
    checks: [...shell, coveredBy('packages/server/src/store/archive/archive.test.ts', 'postgres')],
  },
  doctor: {
    reason: 'It judges an installation; the service of the pages is none. Its tests run it on good and bad ones.',
    checks: [...shell, coveredBy('packages/server/src/cli/doctor.slow.test.ts', 'doctor')],
  },
  'a perpetual': {
    reason:
      'Simulated markets have none. Tests of the channel and of the endpoint compare messages with the same schemas.',
    checks: [perpetual],
  },
  'an exchange': {
    reason: 'It needs a connection to an exchange or a broker. The tests of the feeds have recorded messages.',
    checks: [shellSyntax, npmScripts, assignedSettings],
  },
  'Claude Code': {
    reason: 'It needs Claude Code. The tests of MCP speak the protocol with the same address and command.',
    checks: [...shell, coveredBy('packages/server/src/cli/mcp.slow.test.ts', 'mcp')],
  },
  'settings of an agent': { reason: 'An agent reads this file.', checks: [agentSettings] },
  'the charting library': {
    reason:
      'The library is licensed by TradingView. The script runs with stand-ins; udf.test.ts has a client of the protocol.',
    checks: [chartingLibrary],
  },
  'Power Query': { reason: 'Excel runs it.', checks: [powerQuery] },
  vite: {
    reason:
      'It needs packages of the npm registry. examples/pages.slow.test.ts builds the chart and opens it in a browser.',
    checks: [shellSyntax, coveredBy('examples/pages.slow.test.ts', 'react-chart')],
  },
  telegram: {
    reason: "It needs a bot at Telegram. examples/examples.slow.test.ts runs it against a fake of Telegram's server.",
    checks: [
      shellSyntax,
      variablesOf('examples/telegram-bot.ts'),
      coveredBy('examples/examples.slow.test.ts', 'telegram-bot.ts'),
    ],
  },
  freqtrade: {
    reason: 'freqtrade is not on this machine. examples/adapters.test.ts checks the layout of the strategy.',
    checks: [...shell, coveredBy('examples/freqtrade/tickwire_strategy.py', 'class TickwireSignals(')],
  },
  lean: {
    reason: 'Lean is not on this machine. examples/adapters.test.ts checks the layout of the algorithm.',
    checks: [...shell, coveredBy('examples/lean/main.py', '"tickwire-signals"', '"start"', '"end"')],
  },
  'the DuckDB client': {
    reason: 'proof/history runs these lines, where the client is installed, and compares the bars.',
    checks: [coveredBy('proof/history/readers.mjs', 'docs/recipes/duckdb.md')],
  },
  'a query of Prometheus': {
    reason: 'Prometheus runs it.',
    checks: [
      (text) => {
        const files = [...new Glob('packages/server/src/*/{metrics,server,module}.ts').scanSync(ROOT)];
        const metrics = files.map(read).join('\n');
        for (const metric of all(text, /(tickwire_\w+)/g)) has(metrics, metric, 'the service');
      },
    ],
  },
  'settings of the kernel': { reason: 'They need root.', checks: [kernelSettings] },

  'an API of others': {
    reason: 'It needs an account there. The addresses are those of the documentation of these services.',
    checks: [addressesOfOthers],
  },
  ccxt: { reason: 'ccxt is not on this machine. The lines are compiled.', checks: [pythonSyntax] },

  // Settings, messages and pictures.
  settings: { reason: 'Settings of a service, not commands. They are read as at a start.', checks: [assignedSettings] },
  'a settings file': { reason: 'A service reads it. Each setting is parsed as at a start.', checks: [settingsFile] },
  'news sources': {
    reason: 'Its sources are on the internet. The list is parsed as at a start.',
    checks: [(text) => void parseSources(text, 'the block')],
  },
  'calendar sources': {
    reason: 'Its sources are on the internet. The list is parsed as at a start.',
    checks: [(text) => void parseCalendarSources(text, 'the block', '/')],
  },
  'messages of a signal': {
    reason: 'A signal takes minutes to be filled and amended. The messages are compared with the contract.',
    checks: [documents(FilledSignal.strict(), ExitedSignal.strict(), AmendedSignal.strict())],
  },
  'a market order': {
    reason: 'The simulated price may be beyond its levels. Request and response are compared with the contract.',
    checks: [documents(SignalRequest, PublishedSignal.strict())],
  },
  evidence: { reason: 'Part of a record of the log. It is compared with the contract.', checks: [documents(Evidence)] },
  'a certainty': {
    reason: 'Part of a headline. It is compared with the contract.',
    checks: [documents(SentimentCertainty)],
  },
  'trading hours': {
    reason: 'The service of all pages is always open. A test of trading hours has the same day of a market with hours.',
    checks: [
      documents(TradingHours),
      coveredBy('packages/server/src/market/trading-hours.test.ts', 'UK100', '2026-12-24T12:30:00.000Z'),
    ],
  },
  'a crontab': {
    reason: 'Cron runs it every hour and every week. Its command and options are compared with the help.',
    checks: [tickwireCommands],
  },
  'sentiments of an item': {
    reason: 'Part of a headline. It is compared with the contract.',
    checks: [documents(SymbolSentiment.array())],
  },
  'what is signed': {
    reason: 'It is signed, not sent. examples/publisher.py signs it, and a test verifies the signature.',
    checks: [
      json,
      coveredBy('python/tickwire/signing/signer.py', '"action"', '"publisher"', '"signed_at"', '"note_sha256"'),
    ],
  },
  'the log of the page': {
    reason: 'A browser shows it. e2e/browser-quickstart.test.ts opens the page and reads it.',
    checks: [coveredBy('e2e/browser-quickstart.test.ts', 'docs/start/browser.md', 'watching', 'published')],
  },
  'a picture': {
    reason: 'A drawing of characters, or a list of files.',
    checks: [(text) => require(/[─▶]|^data\//m.test(text), 'neither a drawing nor a list of files')],
  },
};

/** What is wrong with a block that is not run, or null. */
export function wrongUnexecuted({ directive, text }: Pick<Block, 'directive' | 'text'>): string | null {
  if (directive.kind !== 'not run') return null;
  const entry = UNEXECUTED[directive.name];
  if (!entry) return `tools/guide/unexecuted.ts has no entry "${directive.name}"`;
  try {
    for (const check of entry.checks) check(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
