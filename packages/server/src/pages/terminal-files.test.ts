// The files of the terminal in one text, as packages and executables contain them.
import { expect, test } from 'bun:test';
import { packTerminal, terminalPart, unpackTerminal } from './terminal-files.ts';

test('the packed terminal is the one that a checkout builds, byte by byte', async () => {
  const packed = unpackTerminal(await packTerminal());
  for (const part of ['terminal', 'publicRecord', 'pushWorker', 'referenceScript', 'font', 'webManifest'] as const)
    expect(packed[part]).toEqual(await terminalPart(part));
  expect(packed.terminal.assets.length).toBeGreaterThan(2);
  expect(packed.font).toBeInstanceOf(Uint8Array);
});
