import type { Theme } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './style.css';

/** Pages of the service outside the site. A target keeps the router of the site from opening them itself. */
const OUTSIDE = [
  ['/docs', 'API reference'],
  ['/', 'Terminal'],
] as const;

const links = () => OUTSIDE.map(([href, title]) => h('a', { href, target: '_self', class: 'outside' }, title));

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'nav-bar-content-after': links, 'nav-screen-content-after': links }),
} satisfies Theme;
