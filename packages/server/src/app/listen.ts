// Opens ports and reads TLS certificates. Failures are one line that says what to change.
import { readFileSync } from 'node:fs';
import { type Config, ConfigError, variableName } from '../config/config.ts';

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
