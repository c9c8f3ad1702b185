// A data folder as the first start leaves it. Creating one takes a second, so all tests of a run copy the same one.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, temporaryFolder } from './service.fixture.ts';

/** Test files do not share modules, but they share the process. */
const original = join(tmpdir(), `tickwire-prepared-${process.pid}`);

export interface Prepared {
  readonly data: string;
  /** The demo key: premium. */
  readonly key: string;
}

export async function preparedFolder(): Promise<Prepared> {
  const keyFile = `${original}.key`;
  if (!existsSync(keyFile)) {
    removeStaleFolders();
    const service = await startService({ data: original });
    writeFileSync(keyFile, service.app.demoKey!);
    await service.stop();
  }
  const data = temporaryFolder();
  cpSync(original, data, { recursive: true });
  return { data, key: readFileSync(keyFile, 'utf8') };
}

/** A run cannot know which of its tests is the last, so it removes the folders of earlier runs. */
function removeStaleFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^tickwire-prepared-(\d+)/.exec(name)?.[1];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
