// Opens ports and reads TLS certificates. Failures are one line that says what to change.
import { readFileSync } from 'node:fs';
import { type Config, ConfigError, variableName } from '../config/config.ts';

/** Calls `serve`, and explains a failure to listen in one line. */
export function listen<T>(port: number, host: string, setting: 'port' | 'metrics_port', serve: (port: number) => T): T {
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
