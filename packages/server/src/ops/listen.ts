// Ports and certificates: opened, or refused in one line that says why.
import { readFileSync } from 'node:fs';
import type { Server } from 'bun';
import { type Config, ConfigError, variableName } from '../config.ts';
import type { Log } from './log.ts';

export const METRICS_PORT = 9464;

/** Opens a port, or says in one line why that cannot be. */
export function listen<T>(port: number, host: string, setting: 'port' | 'metrics_port', serve: (port: number) => T): T {
  try {
    return serve(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const variable = variableName(setting);
    if (code === 'EADDRINUSE') {
      throw new ConfigError(`port ${port} on ${host} is in use by another program: set ${variable} to a free one`);
    }
    if (code === 'EACCES') throw new ConfigError(`port ${port} needs more rights: set ${variable} to one above 1023`);
    throw new ConfigError(`cannot listen on ${host}:${port}: ${message}`);
  }
}

/** Prometheus on a port of its own, so that it need not be shown to the world. */
export function serveMetrics({ metrics_port, host }: Config, render: () => string, log: Log): Server<undefined> | null {
  if (metrics_port === 'off') return null;
  const serve = (port: number): Server<undefined> =>
    Bun.serve({
      port,
      hostname: host,
      routes: {
        '/metrics': () => new Response(render(), { headers: { 'Content-Type': 'text/plain; version=0.0.4' } }),
      },
      fetch: () => new Response('See /metrics\n', { status: 404 }),
    });
  if (metrics_port !== null) return listen(metrics_port, host, 'metrics_port', serve);
  try {
    return serve(METRICS_PORT);
  } catch {
    // Nobody asked for this very port: the service is worth more than its metrics.
    log.warn('metrics are off: their usual port is taken; TICKWIRE_METRICS_PORT sets another', { port: METRICS_PORT });
    return null;
  }
}

export function readTls({ tls_cert, tls_key }: Config): { cert: string; key: string } | null {
  if (!tls_cert || !tls_key) return null;
  const read = (file: string, setting: 'tls_cert' | 'tls_key'): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new ConfigError(`${variableName(setting)}: ${(error as Error).message}`);
    }
  };
  return { cert: read(tls_cert, 'tls_cert'), key: read(tls_key, 'tls_key') };
}
