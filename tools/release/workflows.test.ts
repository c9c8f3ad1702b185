// The workflows of the public forge, without running them: every action is pinned, every job has the least permissions, and every
// npm script that they run exists.
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../pack/repository.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = join(ROOT, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
/** What publishes, and to where. */
const PUBLISHING = /npm publish|gh release create|--push|pypi-publish/;

describe.each(readdirSync(FOLDER))('%s', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const { permissions, jobs } = Bun.YAML.parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

  test('pins every action by its commit, with the version beside it', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
    for (const action of used) expect(text).toMatch(new RegExp(`${action} # v\\d+\\.\\d+\\.\\d+\\n`));
  });

  test('may only read, except where a job says more', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  test('runs npm scripts that exist', () => {
    const named = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('interpolates no input of others into a script', () => {
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });
});

describe('publishing', () => {
  const { jobs } = Bun.YAML.parse(readFileSync(join(FOLDER, 'release.yml'), 'utf8')) as Workflow;
  const needsOf = (name: string): string[] => {
    const direct = [jobs[name]!.needs ?? []].flat();
    return [...direct, ...direct.flatMap(needsOf)];
  };
  const publishing = Object.entries(jobs).filter(([, { steps = [] }]) =>
    steps.some(({ uses = '', run = '' }) => PUBLISHING.test(uses + run)),
  );

  test('waits for the tests, the build and the start on every platform', () => {
    expect(publishing.map(([name]) => name)).toEqual(['npm', 'pypi', 'image', 'release']);
    for (const [name] of publishing) expect(needsOf(name)).toEqual(expect.arrayContaining(['test', 'build', 'start']));
  });

  test('to a registry needs the approval of an environment', () => {
    expect(publishing.filter(([, { environment }]) => environment === undefined).map(([name]) => name)).toEqual([
      'release',
    ]);
  });

  test('is done by the workflow only, not by a script of this repository', () => {
    expect(Object.values(scripts).filter((script) => PUBLISHING.test(script))).toEqual([]);
    const tools = [...new Bun.Glob('tools/**/*.ts').scanSync(ROOT)].filter(
      (path) => !/node_modules|\.test\.ts/.test(path),
    );
    expect(tools.filter((path) => PUBLISHING.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });
});
