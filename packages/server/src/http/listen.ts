// Opens ports and reads TLS certificates. Failures are one line that says what to change.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Config, ConfigError, variableName } from '../config/config.ts';

export type PortSetting = 'port' | 'metrics_port' | 'link_port';

/** Calls `serve`, and explains a failure to listen in one line. */
export function listen<T>(port: number, host: string, setting: PortSetting, serve: () => T): T {
  try {
    return serve();
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
  type FileSetting = `${typeof of}_${'cert' | 'key'}`;
  const refuse = (setting: FileSetting, why: string): never => {
    throw new ConfigError(`${variableName(setting)}: ${why}`);
  };
  const read = (setting: FileSetting): string => {
    try {
      return readFileSync(config[setting]!, 'utf8');
    } catch (error) {
      return refuse(setting, (error as Error).message);
    }
  };
  if (config[`${of}_cert`] === null) return null;
  const [cert, key] = [read(`${of}_cert`), read(`${of}_key`)];
  let leaf: X509Certificate | undefined;
  try {
    [leaf] = certificatesIn(cert);
  } catch (error) {
    refuse(`${of}_cert`, `a certificate in ${config[`${of}_cert`]} is damaged: ${(error as Error).message}`);
  }
  if (!leaf) return refuse(`${of}_cert`, `${config[`${of}_cert`]} contains no certificate in PEM`);
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(key);
  } catch {
    return refuse(`${of}_key`, `${config[`${of}_key`]} contains no private key in PEM without a password`);
  }
  if (!leaf.checkPrivateKey(privateKey))
    refuse(`${of}_key`, `${config[`${of}_key`]} is not the key of the certificate in ${variableName(`${of}_cert`)}`);
  return { cert, key };
}

/** The certificates of a PEM file, in their order. */
export const certificatesIn = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (text) => new X509Certificate(text),
  );
