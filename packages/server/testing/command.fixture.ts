// Commands of the command line inside this process, for tests that need many: a process of its own takes half a second.
import { runCommand } from '../src/cli/main.ts';
import type { Ran } from './process.fixture.ts';
import { environmentOf, type Settings } from './service.fixture.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let latest: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end. Commands share the output and the environment of the process, so they run one after another.
 * `serve`, `replay` and whatever reads standard input or is interrupted need a process: `runTickwire`.
 */
export function runHere(args: string[], settings: Settings = {}): Promise<Ran> {
  const running = latest.then(() => runNow(args, settings));
  latest = running.catch(() => {});
  return running;
}

async function runNow(args: string[], settings: Settings): Promise<Ran> {
  const environment = { ...process.env };
  const listeners = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  const outputs = [process.stdout, process.stderr].map(capture);
  for (const name of Object.keys(environment)) if (name.startsWith('TICKWIRE_')) delete process.env[name];
  Object.assign(process.env, environmentOf(settings));
  try {
    const status = await runCommand(args);
    const [out, err] = outputs.map(({ text }) => text());
    return { status, out: out!, err: err! };
  } finally {
    for (const { restore } of outputs) restore();
    for (const name of Object.keys(environmentOf(settings))) delete process.env[name];
    Object.assign(process.env, environment);
    for (const [signal, before] of listeners)
      for (const listener of process.listeners(signal))
        if (!before.includes(listener)) process.off(signal, listener as NodeJS.SignalsListener);
  }
}

/** Collects what is written to a stream, which is no terminal meanwhile. */
function capture(stream: NodeJS.WriteStream): { text: () => string; restore: () => void } {
  const { write, isTTY } = stream;
  let text = '';
  stream.isTTY = false;
  stream.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    return true;
  };
  return { text: () => text, restore: () => Object.assign(stream, { write, isTTY }) };
}
