import { describe, expect, test } from 'bun:test';
import { html, joinContent, prose, raw } from './html.ts';

describe('html', () => {
  test('escapes text but not markup', () => {
    expect(html`<p title="${'"x"'}">${'<b>&'} ${raw('<i>y</i>')}</p>`.markup).toBe(
      '<p title="&quot;x&quot;">&lt;b&gt;&amp; <i>y</i></p>',
    );
  });

  test('concatenates lists and renders false and undefined as nothing', () => {
    expect(html`${['a', html`<br>`, 3, false, undefined, ['b']]}`.markup).toBe('a<br>3b');
    expect(html`${joinContent(['a', 'b', 'c'], ', ')}`.markup).toBe('a, b, c');
  });

  test('renders text in backticks as escaped code', () => {
    expect(prose('Send `"seq":true` & wait').markup).toBe('Send <code>&quot;seq&quot;:true</code> &amp; wait');
  });
});
