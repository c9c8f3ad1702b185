import { defineConfig } from 'vitepress';
import { DECISIONS, SECTIONS, type Section } from '../src/contents.ts';
import { slugOf } from '../src/slug.ts';

const sideBar = ({ title, pages }: Section) => ({
  text: title,
  items: pages.map((page) => ({ text: page.title, link: page.path === 'index' ? '/' : `/${page.path}` })),
});

/** As in the terminal. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23121821'/%3E%3Cpath d='M2 10h3l2-6 3 9 2-5h2' fill='none' stroke='%234f9cf9' stroke-width='1.6' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

/**
 * Copies the theme of the terminal to the place where the script of VitePress reads it, which comes later in the head, and again
 * when it changes in another tab.
 */
const THEME_SCRIPT = `{
  const copy = () => {
    try {
      const { appearance = 'system' } = JSON.parse(localStorage.getItem('tickwire.preferences')) ?? {};
      const [key, newValue] = ['vitepress-theme-appearance', appearance === 'system' ? 'auto' : appearance];
      localStorage.setItem(key, newValue);
      dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }));
    } catch {}
  };
  copy();
  addEventListener('storage', ({ key }) => key === 'tickwire.preferences' && copy());
}`;

export default defineConfig({
  lang: 'en',
  title: 'Tickwire',
  description: 'Market data, verified trading signals and news on your own machine',
  base: '/guide/',
  srcDir: 'dist/stage',
  outDir: 'dist/site',
  cacheDir: 'dist/cache',
  cleanUrls: true,
  // The table of pages as a file instead of a script in each page, which the content policy would block.
  metaChunk: true,
  // One page at a time: the same sources give the same search index.
  buildConcurrency: 1,
  head: [
    ['link', { rel: 'icon', href: ICON }],
    ['script', {}, THEME_SCRIPT],
  ],
  markdown: {
    // Without a limit of time, which would leave code without colours on a busy machine.
    shikiSetup(highlighter) {
      const { codeToHtml } = highlighter;
      highlighter.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
    },
    // The pages are Vue templates. Without this, `{{close}}` would be evaluated, and its page would be blank.
    config({ renderer: { rules } }) {
      const { code_inline: code, text } = rules;
      rules.code_inline = (...args) => code!(...args).replace('<code', '<code v-pre');
      rules.text = (...args) => text!(...args).replaceAll('{{', '&#123;&#123;');
    },
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    headers: { slugify: slugOf },
  },
  themeConfig: {
    siteTitle: 'Tickwire guide',
    search: { provider: 'local', options: { detailedView: true } },
    outline: { level: [2, 3] },
    sidebar: [...SECTIONS.map(sideBar), { ...sideBar(DECISIONS), collapsed: true }],
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
