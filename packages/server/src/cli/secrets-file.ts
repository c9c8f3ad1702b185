// The file with the setup link and the demo key, for services whose output ends in a log that others can read. Lines of
// NAME=value, readable only by its owner.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { draftName } from '../ops/durable-file.ts';

export interface FirstStartSecrets {
  /** `null` once there is an owner. */
  readonly setupUrl: string | null;
  /** `null` if an earlier start created it: its content stays. */
  readonly demoKey: string | null;
}

const HEAD = '# Secrets of the first start of Tickwire. Delete this file when you have used them.';
const KEY_NOTE =
  '# The demo key ends after 7 days. Make one that lasts under Settings > API keys, or with "tickwire keys create".';

/** Replaces the setup link, keeps the demo key of an earlier start, and deletes a file that has become empty. */
export function writeSecretsFile(file: string, { setupUrl, demoKey }: FirstStartSecrets): void {
  const key = demoKey ?? storedKey(file);
  if (!setupUrl && !key) {
    rmSync(file, { force: true });
    return;
  }
  const lines = [
    HEAD,
    ...(setupUrl ? [`SETUP_URL=${setupUrl}`] : []),
    ...(key ? [KEY_NOTE, `DEMO_KEY=${key}`] : []),
    '',
  ];
  // A new file, because an existing one keeps its mode.
  const draft = draftName(file);
  // Left by a crash: in a container, every start has the same process id.
  rmSync(draft, { force: true });
  writeFileSync(draft, lines.join('\n'), { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

const storedKey = (file: string): string | null =>
  existsSync(file) ? (/^DEMO_KEY=(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? null) : null;
