// COPY … FROM STDIN through the driver, which implements the protocol but offers no call for it.
import type { ClientBase, QueryResult, Submittable } from 'pg';
import { destroy } from './client.ts';

const CHUNK_BYTES = 65_536;

interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
}

/** A cell in the text format of COPY. */
export function copyCell(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (value instanceof Uint8Array)
    return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  const text = String(value);
  return /[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, (mark) => ESCAPES[mark]!) : text;
}
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function copyIn(client: ClientBase, text: string, lines: string, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('Copy timeout'));
      destroy(client);
    }, ms);
    let failure: Error | null = null;
    const end = (): void => {
      clearTimeout(timer);
      if (failure) reject(failure);
      else resolve();
    };
    const submittable = {
      submit: (wire: Wire) => wire.query(text),
      handleCopyInResponse(wire: Wire) {
        const bytes = Buffer.from(lines);
        for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
          wire.sendCopyFromChunk(bytes.subarray(at, at + CHUNK_BYTES));
        wire.endCopyFrom();
      },
      handleError(error: Error) {
        failure ??= error;
        // An error of the server is followed by ReadyForQuery; a lost connection by nothing.
        if (!('severity' in error)) end();
      },
      handleReadyForQuery: end,
      handleCommandComplete() {},
      handleRowDescription() {},
      handleDataRow() {},
      handleEmptyQuery() {},
      handlePortalSuspended() {},
      handleCopyData() {},
    };
    client.query(submittable as unknown as Submittable & QueryResult);
  });
}
