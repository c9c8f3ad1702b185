// Message brokers as contenders, each as its package installs it: an instance of our own on free ports, pinned like every server, and
// configured to keep nothing on disk and to drop nothing for a reader that is late.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/testing/free-port.fixture.ts';
import type { ContenderAddress } from '../load/wires/protocols.ts';
import type { Children, ServerChild } from './children.ts';

/** Where packages put servers, also if the PATH of a user leaves it out. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin'];

export interface StartedBroker {
  readonly server: ServerChild;
  readonly address: ContenderAddress;
}

export interface Broker {
  readonly name: string;
  /** The command that starts it; `null` if it is not installed. */
  readonly command: string | null;
  /** Such as "NATS 2.9.10"; `null` if it is not installed. */
  readonly version: string | null;
  readonly missing: string | null;
  start(children: Children, pin: readonly string[], folder: string): Promise<StartedBroker>;
}

interface BrokerSpec {
  readonly name: string;
  readonly program: string;
  readonly package: string;
  /** Arguments that print the version. */
  readonly versionFlag: string;
  /** Ports to choose: the first is for the feeder. */
  readonly ports: number;
  readonly config: (ports: readonly number[], folder: string) => string;
  readonly args: (configFile: string) => readonly string[];
  readonly address: (ports: readonly number[]) => ContenderAddress;
}

const NATS: BrokerSpec = {
  name: 'NATS',
  program: 'nats-server',
  package: 'nats-server',
  versionFlag: '--version',
  ports: 2,
  config: ([port, websocket]) =>
    `listen: "127.0.0.1:${port}"\nmax_pending: 256MB\nwrite_deadline: "60s"\nwebsocket { listen: "127.0.0.1:${websocket}", no_tls: true }\n`,
  args: (file) => ['--config', file],
  address: ([port, websocketPort]) => ({ kind: 'nats', port: port!, websocketPort: websocketPort! }),
};

const REDIS: BrokerSpec = {
  name: 'Redis',
  program: 'redis-server',
  package: 'redis-server',
  versionFlag: '--version',
  ports: 1,
  config: ([port], folder) =>
    `port ${port}\nbind 127.0.0.1\nsave ""\nappendonly no\ndir ${folder}\nclient-output-buffer-limit pubsub 0 0 0\n`,
  args: (file) => [file],
  address: ([port]) => ({ kind: 'redis', port: port! }),
};

const MOSQUITTO: BrokerSpec = {
  name: 'Mosquitto',
  program: 'mosquitto',
  package: 'mosquitto',
  versionFlag: '-h',
  ports: 1,
  // Started by root, it would change to a user that cannot read the folder.
  config: ([port]) =>
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nmax_queued_messages 0\nset_tcp_nodelay true\n${process.getuid?.() === 0 ? 'user root\n' : ''}log_type error\n`,
  args: (file) => ['-c', file],
  address: ([port]) => ({ kind: 'mqtt', port: port! }),
};

export const findBrokers = (): Broker[] => [NATS, REDIS, MOSQUITTO].map(find);

function find(spec: BrokerSpec): Broker {
  const path = [process.env.PATH, ...SYSTEM_FOLDERS].join(':');
  const command = Bun.which(spec.program, { PATH: path });
  return {
    name: spec.name,
    command,
    version: command && `${spec.name} ${versionOf(command, spec.versionFlag)}`,
    missing: command ? null : `not installed: apt-get install ${spec.package}`,
    async start(children, pin, folder) {
      const own = join(folder, spec.program);
      mkdirSync(own);
      const ports: number[] = [];
      for (let index = 0; index < spec.ports; index++) ports.push(await freePort());
      const file = join(own, 'server.conf');
      writeFileSync(file, spec.config(ports, own));
      // The last port is the last to open.
      const server = await children.listener([...pin, command!, ...spec.args(file)], ports.at(-1)!);
      return { server, address: spec.address(ports) };
    },
  };
}

function versionOf(command: string, flag: string): string {
  const { stdout, stderr } = Bun.spawnSync([command, flag]);
  return /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0] ?? '';
}
