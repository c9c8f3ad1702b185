import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { FRAME } from '../ui/appearance.ts';

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8');

/** What stands between the braces behind a selector, a declaration each. */
function declarations(selector: string): readonly string[] {
  const start = css.indexOf(`${selector} {`);
  expect([selector, start]).not.toEqual([selector, -1]);
  const inside = css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start));
  return inside
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

const chosen = declarations(':root[data-theme="light"]');
const nameOf = (declaration: string): string => declaration.slice(0, declaration.indexOf(':'));

test('light is the same by system setting and by choice', () => {
  expect(declarations(':root:not([data-theme="dark"])')).toEqual([...chosen]);
});

test('every dark colour has a light counterpart', () => {
  const dark = declarations(':root').map(nameOf);
  expect(dark.filter((name) => !/^--(sans|mono)$/.test(name))).toEqual(chosen.map(nameOf));
});

test('the browser frame has the colour of the top bar', () => {
  expect(declarations(':root')).toContain(`--panel: ${FRAME.dark}`);
  expect(chosen).toContain(`--panel: ${FRAME.light}`);
  const page = readFileSync(new URL('../index.html', import.meta.url), 'utf8');
  for (const [scheme, colour] of Object.entries(FRAME))
    expect(page).toContain(`media="(prefers-color-scheme: ${scheme})" content="${colour}"`);
});
