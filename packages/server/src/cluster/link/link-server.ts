// The port of an ingest node for the gateways of its cluster: TLS, and only signed requests for the endpoints that need the
// pipeline. Before the node is active, it responds with `no_active_ingest`.
import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { Api } from '../../http/api.ts';
import { MAX_BODY_BYTES } from '../../http/body.ts';
import type { Ports } from '../../http/ports.ts';
import { closeAfterUnreadBody } from '../../http/unread-body.ts';
import { createSelfSignedCertificate } from '../../ops/self-signed-certificate.ts';
import { formatIngestLink } from './ingest-link.ts';
import { requireSignature } from './internal-guard.ts';
import { linkHost, readLinkCertificate } from './link-certificate.ts';
import { SignatureVerifier } from './link-signature.ts';

export interface LinkServer {
  /** What the lease announces: address, secret and certificate. */
  readonly announcement: string;
  /** From now on, requests are handled by the active pipeline. */
  serve(api: Api): void;
  stop(): Promise<void>;
}

export function startLinkServer(config: Config, ports: Ports, now: () => number): LinkServer {
  const { host, link_port } = config;
  const advertised = config.advertise === null ? null : new URL(config.advertise);
  const tls = readLinkCertificate(config) ?? createSelfSignedCertificate(linkHost(config));
  const secret = randomBytes(32).toString('hex');
  const verifier = new SignatureVerifier(secret, now);
  const options = {
    hostname: host,
    tls,
    maxRequestBodySize: MAX_BODY_BYTES + 64 * 1024,
    idleTimeout: 60,
    fetch: (): Response => Response.json({ code: 'no_active_ingest' }, { status: 503 }),
  };
  const server = ports.open('link_port', link_port, options);
  const url = new URL(advertised ?? server.url.origin);
  if (advertised?.port === '') url.port = server.url.port;
  return {
    announcement: formatIngestLink({ url: url.origin, secret, certificate: tls.cert }),
    serve(api) {
      const routes = Object.entries(api.writerRoutes()).map(
        ([path, handler]) => [path, closeAfterUnreadBody(requireSignature(verifier, handler))] as const,
      );
      server.reload({
        ...options,
        routes: Object.fromEntries(routes),
        fetch: closeAfterUnreadBody(api.notFound),
        error: (error) => api.refuse(error, new Request('http://localhost/'), null),
      });
    },
    stop: () => server.stop(),
  };
}
