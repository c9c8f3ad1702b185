// Starts the contenders of the comparison with brokers: Tickwire, the bare server, the C server and every broker that is installed.
import { join } from 'node:path';
import type { ContenderAddress } from '../load/wires/protocols.ts';
import { findBrokers } from '../processes/brokers.ts';
import type { ServerChild } from '../processes/children.ts';
import { compileLimit } from '../processes/compile-limit.ts';
import { makeKeys, startTickwire } from '../processes/tickwire.ts';
import { BARE, type Bench, LIMIT, OURS } from './scenario.ts';

const BARE_RELAY = join(import.meta.dir, '../contenders/bare-relay.ts');

export interface BrokerContender {
  readonly name: string;
  /** Reason why it does not take part. It may also fail later. */
  missing: string | null;
  readonly running: { readonly server: ServerChild; readonly address: ContenderAddress } | null;
}

export interface StartedContenders {
  readonly contenders: readonly BrokerContender[];
  /** Such as "NATS 2.9.10, Redis 7.0.15". */
  readonly versions: string;
}

type Running = NonNullable<BrokerContender['running']>;

export async function startContenders(bench: Bench): Promise<StartedContenders> {
  const { children, cores } = bench;
  const folder = bench.folder();
  const contenders: BrokerContender[] = [
    { name: OURS, missing: null, running: await startOurs(bench, folder) },
    {
      name: BARE,
      missing: null,
      running: relay(await children.server([...cores.server, process.execPath, BARE_RELAY])),
    },
  ];
  /** A contender that does not start costs its row, not the run. */
  const add = async (name: string, missing: string | null, start: () => Promise<Running>): Promise<void> => {
    try {
      contenders.push({ name, missing, running: missing === null ? await start() : null });
    } catch (error) {
      contenders.push({ name, missing: `does not start: ${(error as Error).message}`, running: null });
    }
  };
  const limit = compileLimit(folder);
  await add(LIMIT, 'missing' in limit ? limit.missing : null, async () =>
    relay(await children.server([...cores.server, 'path' in limit ? limit.path : ''])),
  );
  const brokers = findBrokers();
  for (const broker of brokers)
    await add(broker.name, broker.missing, () => broker.start(children, cores.server, folder));
  return { contenders, versions: brokers.flatMap(({ version }) => version ?? []).join(', ') };
}

const relay = (server: ServerChild): Running => ({ server, address: { kind: 'relay', port: server.port } });

async function startOurs({ children, cores }: Bench, folder: string): Promise<Running> {
  const [key] = await makeKeys(folder, 1, ['read', 'ingest']);
  const env = { TICKWIRE_FEEDS: 'push', TICKWIRE_INGEST_LINES_PER_MINUTE: '1000000000' };
  const server = await startTickwire(children, cores.server, { folder, env });
  return { server, address: { kind: 'tickwire', port: server.port, key: key! } };
}
