// A service that serves a given log, its heads and its tape, for verifiers that read over the network.
import type { LogHead } from '@tickwire/contract';
import { evidenceText } from '../../src/signals/verify/evidence-file.ts';
import type { EvidenceLine } from '../../src/signals/verify/evidence-line.ts';

export interface ServedLog {
  readonly lines: readonly { readonly hash: string; readonly text: string }[];
  readonly head: LogHead;
  /** Day of the tape, and its sealed lines; `null` if it is not served. */
  readonly day: string;
  readonly tape: readonly EvidenceLine[] | null;
}

export function serveLog({ lines, head, day, tape }: ServedLog) {
  const items = lines.map(({ hash, text }) => ({ hash, record: JSON.parse(text) as unknown }));
  const evidence = (path: string, after: number | null): Response => {
    if (!path.startsWith(`/api/evidence/${day}/`) || !tape)
      return Response.json({ code: 'no_evidence', detail: '', status: 404 }, { status: 404 });
    const sent = after === null ? tape : tape.filter(({ seq }) => seq > after);
    const headers = { 'Content-Type': 'application/x-ndjson', 'Evidence-Source': after === null ? 'sealed' : 'tape' };
    const hash = { 'Evidence-SHA256': 'ab'.repeat(32) };
    return new Response(evidenceText(sent), { headers: { ...headers, ...(after === null && hash) } });
  };
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const after = searchParams.get('after');
      if (pathname === '/api/signals/head') return Response.json(head);
      if (pathname === '/api/signals/heads') return Response.json({ items: [], count: 0, next: null });
      if (pathname === '/api/signals/log')
        return Response.json({ items: items.slice(Number(after) + 1, Number(after) + 1_001), count: 0, next: null });
      return evidence(pathname, after === null ? null : Number(after));
    },
  });
}
