import { type Theme, useData } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { h, watch } from 'vue';
import './style.css';

/** Pages of the service outside the site. A target keeps the router of the site from opening them itself. */
const OUTSIDE = [
  ['/docs', 'API reference'],
  ['/', 'Terminal'],
] as const;

const links = () => OUTSIDE.map(([href, title]) => h('a', { href, target: '_self', class: 'outside' }, title));

/** The switch of the site also changes the theme of the terminal. */
function storeTheme(): void {
  const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto';
  const preferences = JSON.parse(localStorage.getItem('tickwire.preferences') ?? '{}');
  const appearance = chosen === 'auto' ? 'system' : chosen;
  localStorage.setItem('tickwire.preferences', JSON.stringify({ ...preferences, appearance }));
}

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'nav-bar-content-after': links, 'nav-screen-content-after': links }),
  // After the site has stored the choice itself.
  setup: () => void watch(useData().isDark, storeTheme, { flush: 'post' }),
} satisfies Theme;
