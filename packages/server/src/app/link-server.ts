// The port of an ingest node for the gateways of its cluster: TLS, and only signed requests for the endpoints that need the
// pipeline. Before the node is active, it responds with `no_active_ingest`.
import { randomBytes } from 'node:crypto';
import { formatIngestLink } from '../cluster/ingest-link.ts';
import type { Config } from '../config/config.ts';
import type { Api } from '../http/api.ts';
import { INGEST_ENDPOINTS } from '../http/ingest-handlers.ts';
import { requireSignature } from '../http/internal-guard.ts';
import { SignatureVerifier } from '../http/link-signature.ts';
import { MAX_BODY_BYTES } from '../http/push-handlers.ts';
import { closeAfterUnreadBody } from '../http/unread-body.ts';
import { createSelfSignedCertificate } from '../ops/self-signed-certificate.ts';
import { linkHost, readLinkCertificate } from './link-certificate.ts';
import { listen } from './listen.ts';

export interface LinkServer {
  /** What the lease announces: address, secret and certificate. */
  readonly announcement: string;
  /** From now on, requests are handled by the active pipeline. */
  serve(api: Api): void;
  stop(): Promise<void>;
}

export function startLinkServer(config: Config, now: () => number): LinkServer {
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
  const server = listen(link_port, host, 'link_port', (port) => Bun.serve({ port, ...options }));
  const url = new URL(advertised ?? server.url.origin);
  if (advertised?.port === '') url.port = String(server.port);
  return {
    announcement: formatIngestLink({ url: url.origin, secret, certificate: tls.cert }),
    serve(api) {
      const routes = Object.entries(api.routes(INGEST_ENDPOINTS)).map(
        ([path, handler]) => [path, closeAfterUnreadBody(requireSignature(verifier, handler))] as const,
      );
      server.reload({
        ...options,
        routes: Object.fromEntries(routes),
        fetch: closeAfterUnreadBody(api.notFound),
        error: (error) => api.refuse(error, new Request('http://localhost/'), null),
      });
    },
    stop: () => server.stop(true),
  };
}
