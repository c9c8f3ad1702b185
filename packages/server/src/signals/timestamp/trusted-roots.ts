// The root certificates that time-stamp authorities must descend from.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { ConfigError } from '../../config/config.ts';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Certificates in PEM: those in `file`, or without a file the public roots that come with the runtime. */
export function trustedRoots(file: string | null): readonly string[] {
  if (file === null) return rootCertificates;
  try {
    const found = readFileSync(file, 'utf8').match(PEM) ?? [];
    for (const pem of found) new X509Certificate(pem);
    if (found.length > 0) return found;
  } catch (error) {
    throw new ConfigError(`TICKWIRE_TIMESTAMP_CA is ${JSON.stringify(file)}: ${(error as Error).message}`);
  }
  throw new ConfigError(
    `TICKWIRE_TIMESTAMP_CA is ${JSON.stringify(file)}, but that file contains no certificate in PEM`,
  );
}
