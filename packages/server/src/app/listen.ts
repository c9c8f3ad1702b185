// Opens ports and reads TLS certificates. Failures are one line that says what to change.
import { readFileSync } from 'node:fs';
import type { Server } from 'bun';
import { type Config, ConfigError, variableName } from '../config/config.ts';
import type { Log } from '../ops/log.ts';

export const METRICS_PORT = 9464;

/** Calls `serve`, and explains a failure to listen in one line. */
export function listen<T>(
  port: number,
  host: string,
  setting: 'port' | 'metrics_port' | 'link_port',
  serve: (port: number) => T,
): T {
  try {
    return serve(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const variable = variableName(setting);
    if (code === 'EADDRINUSE') {
      throw new ConfigError(`port ${port} on ${host} is in use by another program: set ${variable} to a free one`);
    }
    if (code === 'EACCES')
      throw new ConfigError(`no permission to listen on port ${port}: set ${variable} to a port above 1023`);
    throw new ConfigError(`cannot listen on ${host}:${port}: ${message}`);
  }
}

/** Serves Prometheus metrics on a separate port, so that it need not be public. `null` if metrics are off. */
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
    // The default port was not requested explicitly: serve without metrics rather than not at all.
    log.warn('metrics are off: the default port is in use; set TICKWIRE_METRICS_PORT to another one', {
      port: METRICS_PORT,
    });
    return null;
  }
}

/** The certificate of the public port, or of the link port of an ingest node; `null` if none is configured. */
export function readTls(config: Config, of: 'tls' | 'link' = 'tls'): { cert: string; key: string } | null {
  const read = (setting: `${typeof of}_${'cert' | 'key'}`): string => {
    try {
      return readFileSync(config[setting]!, 'utf8');
    } catch (error) {
      throw new ConfigError(`${variableName(setting)}: ${(error as Error).message}`);
    }
  };
  return config[`${of}_cert`] === null ? null : { cert: read(`${of}_cert`), key: read(`${of}_key`) };
}
