// Reads the declarations that a package exports, and everything they refer to, and collects their documentation.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Program } from 'typescript/unstable/async';

export interface Documentation {
  /** Number of declarations and members that were examined. */
  readonly checked: number;
  /** Declarations and members without a doc comment, as `file: name`. */
  readonly undocumented: readonly string[];
  /** Methods of classes without an `@example`. */
  readonly withoutExample: readonly string[];
  /** The code of every `@example`. */
  readonly examples: readonly string[];
}

/** The parts of a syntax node that are used here; each kind of node has some of them. */
type AnyNode = Node & {
  readonly name?: Node & { readonly text?: string };
  readonly propertyName?: Node & { readonly text?: string };
  readonly text?: string;
  readonly members?: readonly AnyNode[];
  readonly type?: AnyNode;
  readonly moduleSpecifier?: { readonly text: string };
  readonly exportClause?: { readonly elements?: readonly AnyNode[] };
  readonly importClause?: AnyNode & { readonly namedBindings?: { readonly elements?: readonly AnyNode[] } };
  readonly jsDoc?: readonly Node[];
  readonly declarationList?: { readonly declarations: readonly AnyNode[] };
};

interface Module {
  readonly source: SourceFile;
  readonly declarations: ReadonlyMap<string, readonly AnyNode[]>;
  /** File and name of every import and named re-export. */
  readonly aliases: ReadonlyMap<string, readonly [file: string, name: string]>;
  /** Files of `export * from`. */
  readonly stars: readonly string[];
}

export async function documentationOf(folder: string): Promise<Documentation> {
  const config = join(folder, '../tsconfig.documentation.json');
  writeFileSync(config, JSON.stringify({ files: [join(folder, 'index.d.ts')], compilerOptions: { types: [] } }));
  const api = new API({ cwd: folder });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [config] });
    return await collect(snapshot.getProject(config)!.program, folder);
  } finally {
    await api.close();
  }
}

async function collect(program: Program, folder: string): Promise<Documentation> {
  const modules = new Map<string, Module>();
  const moduleAt = async (file: string): Promise<Module> => {
    const known = modules.get(file) ?? readModule((await program.getSourceFile(join(folder, file)))!, file);
    modules.set(file, known);
    return known;
  };
  const index = await moduleAt('index.d.ts');
  const queue = [...index.aliases.values()].map(([file, name]) => [file, name] as const);
  for (const file of index.stars)
    for (const name of (await moduleAt(file)).declarations.keys()) queue.push([file, name] as const);

  const seen = new Set<string>();
  const [undocumented, withoutExample, examples]: [string[], string[], string[]] = [[], [], []];
  let checked = 0;
  const check = (text: string, label: string, node: AnyNode): void => {
    checked++;
    const comment = (node.jsDoc ?? []).map(({ pos, end }) => text.slice(pos, end)).join('\n');
    const [prose = '', ...found] = plain(comment).split(/^@example\s/m);
    if (prose.trim() === '') undocumented.push(label);
    examples.push(...found);
    if (node.kind === SyntaxKind.MethodDeclaration && found.length === 0) withoutExample.push(label);
  };
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [file, name] = next;
    const module = await moduleAt(file);
    const alias = module.aliases.get(name);
    if (alias) queue.push(alias);
    if (alias || seen.has(`${file}: ${name}`)) continue;
    seen.add(`${file}: ${name}`);
    const { text } = module.source;
    for (const node of module.declarations.get(name) ?? []) {
      check(text, `${file}: ${name}`, node);
      for (const member of membersOf(node)) check(text, `${file}: ${name}.${nameOf(member)}`, member);
      for (const identifier of identifiersIn(node))
        if (module.declarations.has(identifier) || module.aliases.has(identifier)) queue.push([file, identifier]);
    }
  }
  return { checked, undocumented, withoutExample, examples };
}

function readModule(source: SourceFile, file: string): Module {
  const declarations = new Map<string, AnyNode[]>();
  const aliases = new Map<string, [string, string]>();
  const stars: string[] = [];
  for (const node of source.statements as Iterable<AnyNode>) {
    const target = node.moduleSpecifier && join(dirname(file), node.moduleSpecifier.text.replace(/\.js$/, '.d.ts'));
    const elements = node.exportClause?.elements ?? node.importClause?.namedBindings?.elements;
    if (target && elements)
      for (const each of elements) aliases.set(nameOf(each), [target, each.propertyName?.text ?? nameOf(each)]);
    else if (target) stars.push(target);
    // The comment of a constant belongs to its statement.
    else
      for (const { name } of node.declarationList?.declarations ?? [node])
        if (name?.text !== undefined) declarations.set(name.text, [...(declarations.get(name.text) ?? []), node]);
  }
  return { source, declarations, aliases, stars };
}

const nameOf = ({ name }: AnyNode): string => name?.text ?? 'constructor';

/** Members of a class, an interface or an object type; private members appear in declarations only as `#private`. */
const membersOf = (node: AnyNode): readonly AnyNode[] =>
  [...(node.members ?? node.type?.members ?? [])].filter((member) => nameOf(member) !== '#private');

function identifiersIn(node: Node): Set<string> {
  const names = new Set<string>();
  const visit = (each: Node): void => {
    if (each.kind === SyntaxKind.Identifier) names.add(String((each as AnyNode).text));
    each.forEachChild((child) => visit(child));
  };
  visit(node);
  return names;
}

/** A doc comment without its delimiters. */
const plain = (comment: string): string =>
  comment
    .replaceAll(/^\s*\/\*\*|\*\/\s*$/gm, '')
    .replaceAll(/^\s*\* ?/gm, '')
    .replaceAll(/^ +(?=@)/gm, '')
    .trim();
