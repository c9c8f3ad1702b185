// Opens the settings. Their views are not part of the first load.
import type { FunctionComponent } from 'preact';
import type { PageView } from '../ui/page.ts';
import type { SettingsProps } from './section.tsx';
import { sectionAt, sectionTitle } from './section-list.ts';

export type OpenSettingsProps = Omit<SettingsProps, 'issuedKey'>;

export interface SettingsViews {
  readonly SettingsPage: FunctionComponent<OpenSettingsProps>;
}

export function openSettingsPage(props: OpenSettingsProps, { SettingsPage }: SettingsViews): PageView {
  const title = sectionTitle(sectionAt(props.account, location.hash));
  // A new address is at most another section of this page.
  return { title, view: <SettingsPage {...props} />, navigate: () => true };
}
