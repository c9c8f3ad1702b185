// How a gateway reaches the active ingest node. The ingest node announces it with its lease in Redis, so whoever may read the
// Redis of the cluster may use the link.

export interface IngestLink {
  /** `https://host:port` */
  readonly url: string;
  /** Signs requests; new with each start of the ingest node. */
  readonly secret: string;
  /** PEM: the only certificates that a gateway accepts. */
  readonly certificate: string;
}

export const formatIngestLink = ({ url, secret, certificate }: IngestLink): string =>
  JSON.stringify({ url, secret, certificate });

/** `null` if an ingest node of another release announced something else. */
export function parseIngestLink(text: string): IngestLink | null {
  try {
    const { url, secret, certificate } = JSON.parse(text) as Partial<IngestLink>;
    if (!url?.startsWith('https://') || !secret || !certificate) return null;
    return { url, secret, certificate };
  } catch {
    return null;
  }
}
