import { expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('./index.html', import.meta.url));

async function bundle() {
  const { outputs } = await Bun.build({ entrypoints: [entry], minify: true });
  const text = async (ending: string) => (await outputs.find(({ path }) => path.endsWith(ending))?.text()) ?? '';
  return { kinds: outputs.map(({ path }) => path.replace(/.*\./, '')).sort(), text };
}

test('the terminal bundles into one page, one script and one style sheet', async () => {
  expect((await bundle()).kinds).toEqual(['css', 'html', 'js']);
});

test('a policy that allows only files of the own origin is enough for the page', async () => {
  const { text } = await bundle();
  const page = await text('.html');
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  const elsewhere = /(?:src|href)="(?:https?:)?\/\//;
  expect(page).not.toMatch(elsewhere);
  expect(await text('.css')).not.toMatch(/@import|url\(/);
});

test('the schemas of the contract stay out of the browser', async () => {
  expect(await (await bundle()).text('.js')).not.toContain('ZodError');
});
