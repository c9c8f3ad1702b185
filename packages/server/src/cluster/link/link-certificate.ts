// The configured certificate of the link port of an ingest node.
import type { X509Certificate } from 'node:crypto';
import { type Config, ConfigError, variableName } from '../../config/config.ts';
import { certificatesIn, readTls } from '../../http/listen.ts';
import type { TlsCertificate } from '../../ops/self-signed-certificate.ts';

/** The name or address by which gateways reach the node, without brackets around an IPv6 address. */
export const linkHost = ({ advertise, host }: Config): string =>
  (advertise === null ? host : new URL(advertise).hostname).replaceAll(/[[\]]/g, '');

/** Gateways trust nothing but the announced certificates, so these must be complete and for the announced name. */
export function readLinkCertificate(config: Config): TlsCertificate | null {
  const tls = readTls(config, 'link');
  if (tls === null) return null;
  const name = linkHost(config);
  const refuse = (why: string): never => {
    throw new ConfigError(`${variableName('link_cert')}: ${why}`);
  };
  const [leaf, ...issuers] = certificatesIn(tls.cert) as [X509Certificate, ...X509Certificate[]];
  if (!leaf.checkHost(name) && !leaf.checkIP(name))
    refuse(`the certificate is not for ${name}, the name in TICKWIRE_ADVERTISE or TICKWIRE_HOST`);
  const root = issuers.at(-1) ?? leaf;
  if (!root.verify(root.publicKey)) refuse('the issuers of the certificate are missing: append them, up to the root');
  return tls;
}
