// CHANGELOG.md: the notes of a version, and dating the unreleased changes.

const UNRELEASED = '## [Unreleased]';

/** What the changelog says about a version, or undefined if it does not mention it. */
export function notesOf(changelog: string, version: string): string | undefined {
  const section = changelog.split(/^(?=## )/m).find((part) => part.startsWith(`## [${version}]`));
  return section?.slice(section.indexOf('\n')).trim();
}

/** Versions with their dates, newest first. */
export const releasesOf = (changelog: string): { readonly version: string; readonly date: string }[] =>
  [...changelog.matchAll(/^## \[(\d[^\]]*)\] - (\d{4}-\d{2}-\d{2})$/gm)].map(([, version, date]) => ({
    version: version!,
    date: date!,
  }));

export interface Release {
  readonly version: string;
  /** Such as 2026-11-16. */
  readonly date: string;
  /** The version of the interface. */
  readonly interfaceVersion: string;
}

/** Turns the unreleased changes into those of a version. */
export function dateChanges(changelog: string, { version, date, interfaceVersion }: Release): string {
  if (notesOf(changelog, version) !== undefined) throw new Error(`CHANGELOG.md already has ${version}`);
  if (!notesOf(changelog, 'Unreleased')) throw new Error('CHANGELOG.md has no unreleased changes');
  return changelog.replace(
    UNRELEASED,
    `${UNRELEASED}\n\n## [${version}] - ${date}\n\nInterface version ${interfaceVersion}.`,
  );
}
