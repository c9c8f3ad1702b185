// REST: a quote and 500 bars. Tickwire against a bare Bun.serve with the same bytes, one that also checks keys and counts
// requests, and Fastify doing the same work.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpJob, HttpResult } from '../load/http-load.ts';
import { type Contender, quietRounds, WITHOUT_REPEATS } from '../measure/quiet-rounds.ts';
import { missingReason } from '../peers.ts';
import type { ServerChild } from '../processes/children.ts';
import { BENCH_LIMIT, makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import type { ReportSection } from '../results.ts';
import { restSection } from './rest-section.ts';
import { ACCOUNTS, REST_WORKLOADS, type RestSpec, type RestWorkload, type SampleResponse } from './rest-spec.ts';
import { BARE, type Bench, OURS, type Scenario } from './scenario.ts';

const HERE = join(import.meta.dir, '..');
/** The warm-up turn is this many times longer: our handler gets faster for about ten seconds. */
const WARM_UP = 5;
const BARE_CHECKED = 'bare Bun.serve with keys and allowances';
const FASTIFY = 'Fastify';
const FASTIFY_SQLITE = 'Fastify + better-sqlite3';
/** Headers that every server adds. */
const OWN_HEADERS = new Set(['date', 'content-length', 'connection', 'keep-alive']);

export const rest: Scenario = {
  steps: ({ rounds }) => REST_WORKLOADS.length * rounds,
  async run(bench) {
    const { children, cores, progress } = bench;
    const peers = await bench.peers();
    const folder = bench.folder();
    progress.show(`REST: making ${ACCOUNTS} accounts with a key each, starting the servers`);
    const keys = await makeKeys(folder, ACCOUNTS);
    const ours = await startTickwire(children, cores.server, { folder, env: NO_NEWS });
    const spec: RestSpec = {
      quote: await sample(ours, REST_WORKLOADS[0].path, keys[0]!),
      history: await sample(ours, REST_WORKLOADS[1].path, keys[0]!),
      keys,
      limit: BENCH_LIMIT,
      databaseFile: join(folder, 'peer.db'),
      sqlite: 'path' in peers.sqlite ? peers.sqlite.path : null,
      fastify: 'path' in peers.fastify ? peers.fastify.path : '',
    };
    const specFile = join(folder, 'spec.json');
    writeFileSync(specFile, JSON.stringify(spec));
    const bareCommand = [...cores.server, process.execPath, join(HERE, 'contenders/bare-rest.ts'), specFile];
    const bare = await children.server(bareCommand);
    const checked = await children.server([...bareCommand, 'checked']);
    const fastify =
      missingReason(peers.fastify) === null
        ? await children.server([...cores.server, peers.node!, join(HERE, 'contenders/fastify-rest.mjs'), specFile])
        : null;
    const sections: ReportSection[] = [];
    for (const work of REST_WORKLOADS) {
      const missing = work.kind === 'quote' ? missingReason(peers.fastify) : missingReason(peers.fastify, peers.sqlite);
      const contender = (name: string, server: ServerChild | null, why: string | null): Contender<HttpResult> => ({
        name,
        missing: why,
        measure: (warming) => server!.turn(() => drive(bench, work, server!, { keys, folder, warming })),
      });
      const peerName = work.kind === 'quote' ? FASTIFY : FASTIFY_SQLITE;
      const contenders = [
        contender(OURS, ours, null),
        contender(BARE, bare, null),
        contender(BARE_CHECKED, checked, null),
        contender(peerName, fastify, missing),
      ];
      const { rounds } = await quietRounds(contenders, work.title, { ...bench, ...WITHOUT_REPEATS });
      sections.push(restSection(work, contenders, rounds, spec[work.kind]));
    }
    for (const server of [ours, bare, checked, fastify]) await server?.stop();
    return sections;
  },
};

async function sample({ port }: ServerChild, path: string, key: string): Promise<SampleResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-Key': key } });
  if (response.status !== 200) throw new Error(`GET ${path} was answered ${response.status}, not 200`);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.has(name)));
  return { path, body: await response.text(), headers };
}

async function drive(
  { children, cores, quick, shortest }: Bench,
  { path, connections }: RestWorkload,
  { port, pid }: ServerChild,
  { keys, folder, warming }: { keys: readonly string[]; folder: string; warming: boolean },
): Promise<HttpResult> {
  const job: HttpJob = {
    port,
    path,
    keys,
    connections,
    warmMs: quick ? 200 : 500,
    measureMs: (quick ? 600 : 1_500) * (warming && !shortest ? WARM_UP : 1),
    serverPid: pid,
    serverCore: cores.serverCore,
    loadCore: cores.loadCore,
  };
  const file = join(folder, 'http-job.json');
  writeFileSync(file, JSON.stringify(job));
  const load = [...cores.load, process.execPath, join(HERE, 'load/http-load.ts'), file];
  const result = await children.job<HttpResult>(load, job.warmMs + job.measureMs + 20_000);
  if (result.failures > 0) throw new Error(`${result.failures} responses to GET ${path} were not 200`);
  return result;
}
