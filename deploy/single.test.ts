// Compares the files for one process with each other, with those of a cluster, and with the code.
import { expect, test } from 'bun:test';
import { files, isPinned, read, yaml } from './deploy-files.fixture.ts';

const SINGLE = 'deploy/single';
const lines = (path: string): string[] => read(path).split('\n');

test('the unit is that of a cluster node but for names, places and how soon it starts again', () => {
  const settings = (path: string): string[] =>
    lines(path).filter(
      (line) =>
        /^[A-Z]\w+=/.test(line) &&
        !/^(Description|EnvironmentFile|StateDirectory|WorkingDirectory|Environment|RestartSec|StartLimit\w+|LimitNOFILE)=/.test(
          line,
        ),
    );
  expect(settings(`${SINGLE}/tickwire.service`)).toEqual(settings('deploy/systemd/tickwire@.service'));
});

test('every systemd unit writes the secrets of the first start to a file', () => {
  for (const unit of files('deploy', (name) => name.endsWith('.service')))
    expect(read(unit), unit).toMatch(/^Environment=TICKWIRE_SECRETS_FILE=\/var\/lib\/tickwire\/.*first-start\.txt$/m);
});

test('compose runs one pinned service with one volume, which only this machine reaches', () => {
  const { services, volumes, networks } = yaml(`${SINGLE}/compose.yaml`)[0] as {
    readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly volumes: object;
    readonly networks: {
      readonly tickwire: { readonly ipam: { readonly config: readonly [{ readonly gateway: string }] } };
    };
  };
  expect(Object.keys(services)).toEqual(['tickwire']);
  expect(Object.keys(volumes)).toEqual(['data']);
  const { image, ports, read_only, cap_drop, environment, env_file } = services.tickwire!;
  expect(isPinned((image as string).replace(/\$\{\w+:-(.+)\}/, '$1'))).toBe(true);
  expect({ ports, read_only, cap_drop, env_file }).toEqual({
    ports: ['127.0.0.1:8080:8080'],
    read_only: true,
    cap_drop: ['ALL'],
    env_file: '.env',
  });
  // The proxy on the machine has this address in the container.
  expect(environment).toEqual({ TICKWIRE_TRUSTED_PROXIES: networks.tickwire.ipam.config[0].gateway });
});

test('both proxies reach the port of the service, and nginx replaces the address that a client claims', () => {
  const nginx = read(`${SINGLE}/nginx.conf`);
  expect(read(`${SINGLE}/Caddyfile`)).toContain('reverse_proxy 127.0.0.1:8080');
  expect(nginx).toContain('server 127.0.0.1:8080;');
  expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  expect(nginx).toContain('proxy_buffering off;');
});
