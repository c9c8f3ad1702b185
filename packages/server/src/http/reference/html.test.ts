import { describe, expect, test } from 'bun:test';
import { between, html, prose, raw } from './html.ts';

describe('html', () => {
  test('escapes text and leaves markup alone', () => {
    expect(html`<p title="${'"x"'}">${'<b>&'} ${raw('<i>y</i>')}</p>`.markup).toBe(
      '<p title="&quot;x&quot;">&lt;b&gt;&amp; <i>y</i></p>',
    );
  });

  test('renders lists in a row, and nothing for false and undefined', () => {
    expect(html`${['a', html`<br>`, 3, false, undefined, ['b']]}`.markup).toBe('a<br>3b');
    expect(html`${between(['a', 'b', 'c'], ', ')}`.markup).toBe('a, b, c');
  });

  test('shows what stands in backticks as code, escaped', () => {
    expect(prose('Send `"seq":true` & wait').markup).toBe('Send <code>&quot;seq&quot;:true</code> &amp; wait');
  });
});
