// A titled part of a settings page.
import type { ComponentChildren } from 'preact';

export function Panel({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="settings-panel">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
