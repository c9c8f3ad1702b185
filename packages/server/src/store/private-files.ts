// Keeps the data folder private: only the user of the service can read it, whatever the umask was when a file was created.
// New files get their mode from the umask that the command sets; this tightens folders and files that others created or copied.
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** New folders get 0700 and new files 0600. */
export const PRIVATE_UMASK = 0o077;
const OTHERS = 0o077;
const STICKY = 0o1000;
/** What the service creates in its data folder. Other files there are left as they are. */
const OWN_FOLDERS = ['sim', 'live', 'replay', 'backups'];
const OWN_FILES =
  /^(tickwire\.db|house-keys\.json|markets\.json|log-key\.pem|two-factor\.key|delivery\.key|vapid\.key)/;

export function makePrivate(folder: string): void {
  if (!existsSync(folder)) return;
  const names = readdirSync(folder);
  const own = names.filter((name) => OWN_FILES.test(name) || OWN_FOLDERS.includes(name));
  // A folder with files of others, and none of the service yet, may be shared, such as /tmp.
  if (own.length > 0 || names.length === 0) tighten(folder);
  for (const name of own) {
    const path = join(folder, name);
    tighten(path);
    if (!OWN_FOLDERS.includes(name)) continue;
    for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
      if (entry.isFile() || entry.isDirectory()) tighten(join(entry.parentPath, entry.name));
  }
}

function tighten(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & OTHERS) !== 0 && (mode & STICKY) === 0) chmodSync(path, mode & 0o7700);
  } catch {
    // Another process may have removed it, or another user owns it: then its owner decides.
  }
}
