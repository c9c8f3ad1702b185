// Runs a script of examples/first-steps in an empty folder, in a copy of this checkout after `npm ci`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyPackages } from '../../tools/pack/installed.fixture.ts';
import { ROOT } from './program.fixture.ts';

/** A script that does not end in this time is ended. */
const SCRIPT_MS = 500_000;

export class Stranger {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tickwire-stranger-'));
  /** The copy of the checkout. */
  readonly clone = join(this.#folder, 'clone');
  /** Another folder that is removed at the end. */
  readonly extra = join(this.#folder, 'extra');

  constructor() {
    const copy = 'mkdir "$1" "$2" && git ls-files -zco --exclude-standard | tar -c --null -T - | tar -x -C "$1"';
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', copy, 'sh', this.clone, this.extra], { cwd: ROOT });
    if (exitCode !== 0) throw new Error(`the checkout could not be copied: ${stderr}`);
    copyPackages(this.clone);
  }

  /** Returns the last line of what the script prints. Throws if it fails. */
  async run(script: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
    const child = Bun.spawn(['bash', join(this.clone, 'examples/first-steps', script), ...args], {
      cwd: mkdtempSync(join(this.#folder, 'empty-')),
      // What npm downloads is kept for the next run.
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        npm_config_prefer_offline: 'true',
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        // A download that stalls is tried again soon, not after five minutes.
        npm_config_fetch_timeout: '60000',
        npm_config_fetch_retries: '5',
        ...env,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    });
    // Ends what the script waits for, too: only then is its output complete. Its commands have process groups of their own.
    const tooLate = setTimeout(() => Bun.spawnSync(['pkill', '-KILL', '-s', String(child.pid)]), SCRIPT_MS);
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    const status = await child.exited;
    clearTimeout(tooLate);
    if (status !== 0) throw new Error(`${script} ended with ${status}:\n${out}${err}`);
    return out.trim().split('\n').at(-1)!;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
