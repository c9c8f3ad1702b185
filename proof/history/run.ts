// `node packages/server/bin/bun.mjs proof/history/run.ts`: starts a service with simulated markets and lets readers.mjs compare
// what other programs read. Needs `npm ci --prefix proof/history`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../packages/server/testing/service.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwire-history-'));
const service = await startService({ house: 'none' });
const { key } = await service.key('premium');
const readers = Bun.spawn(['node', join(import.meta.dir, 'readers.mjs'), service.url, key, folder], {
  stdout: 'inherit',
  stderr: 'inherit',
});
const code = await readers.exited;
await service.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(code);
