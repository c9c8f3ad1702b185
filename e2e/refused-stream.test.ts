// The TypeScript client in a browser, with a service that is not there. Node and Bun: tools/pack/client-package.slow.test.ts.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../packages/server/testing/free-port.fixture.ts';
import { describeInBrowser, launchBrowser, TEST_MS } from './browser.fixture.ts';

const CLIENT = join(import.meta.dir, '../packages/client/src/index.ts');
const PROGRAM = `
const ticks = new TickwireClient({ url: 'http://127.0.0.1:PORT', apiKey: 'k' }).live.ticks({ symbols: ['EURUSD'] });
let attempts = 0;
for await (const { end } of ticks.states()) if (end && ++attempts === 2) ticks.close();
console.log('closed');`;

describeInBrowser('a stream of a service that is not there', () => {
  test(
    'fails without a wait for a timeout, is tried again, and says so once',
    async () => {
      const built = await Bun.build({ entrypoints: [CLIENT], target: 'browser' });
      const script = (await built.outputs[0]!.text()) + PROGRAM.replace('PORT', String(await freePort()));
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        const said: string[] = [];
        page.on('console', (message) => message.type() !== 'error' && said.push(message.text()));
        const closed = page.waitForEvent('console', { predicate: (each) => each.text() === 'closed', timeout: 8_000 });
        await page.setContent('<!doctype html>');
        await page.addScriptTag({ type: 'module', content: script });
        await closed;
        expect(said).toEqual([
          expect.stringMatching(
            /^tickwire: the stream of market cannot connect to ws:.*could not be opened\. Next attempt in/,
          ),
          'closed',
        ]);
      } finally {
        await browser.close();
      }
    },
    TEST_MS,
  );
});
