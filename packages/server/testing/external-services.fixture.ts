// Real PostgreSQL and Redis for the tests that need them. They are used only if a variable names them, so that no other
// database is written to. Without them, the tests are skipped with a message; with TICKWIRE_TEST_REQUIRE_SERVICES=1 (as in
// CI) a missing one is a failure.
import { connect } from 'node:net';
import { reportSkipped } from './skipped.fixture.ts';

const CONNECT_MS = 30_000;

/** The address of a PostgreSQL whose user may create databases; `null` if there is none. */
export const postgresForTests = (): Promise<string | null> =>
  (postgres ??= service('PostgreSQL', 'TICKWIRE_TEST_DATABASE_URL'));

/** The address of a Redis or Valkey; `null` if there is none. */
export const redisForTests = (): Promise<string | null> => (redis ??= service('Redis', 'TICKWIRE_TEST_REDIS_URL'));

let postgres: Promise<string | null> | undefined;
let redis: Promise<string | null> | undefined;

async function service(name: string, variable: string): Promise<string | null> {
  const url = process.env[variable];
  if (url !== undefined && (await listens(url))) return url;
  const missing = url === undefined ? `${variable} is not set` : `nothing listens at ${new URL(url).host}`;
  reportSkipped(`tests that need ${name}`, missing);
  return null;
}

function listens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol.startsWith('postgres') ? 5432 : 6379;
  return new Promise((resolve) => {
    const socket = connect(Number(port) || usual, hostname);
    const done = (there: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(there);
    };
    const timer = setTimeout(() => done(false), CONNECT_MS);
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}
