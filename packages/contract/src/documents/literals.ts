// Values as literals of TypeScript and Python, and as quoted words of a shell.

const WIDTH = 80;

/** A string in single quotes. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

interface Notation {
  readonly text: (value: string) => string;
  readonly name: (name: string) => string;
  readonly nothing: string;
  readonly flag: (value: boolean) => string;
  readonly indent: string;
  /** Space inside the braces of an object on one line. */
  readonly air: string;
}

const TYPESCRIPT: Notation = {
  text: quoted,
  name: (name) => {
    // As a plain or quoted key it would set the prototype.
    if (name === '__proto__') return "['__proto__']";
    return /^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name);
  },
  nothing: 'null',
  flag: String,
  indent: '  ',
  air: ' ',
};
/** JSON strings are valid Python strings. */
const PYTHON: Notation = {
  text: (value) => JSON.stringify(value),
  name: (name) => JSON.stringify(name),
  nothing: 'None',
  flag: (value) => (value ? 'True' : 'False'),
  indent: '    ',
  air: '',
};

export const typescript = (value: unknown, depth = 0): string => written(value, TYPESCRIPT, depth);
export const python = (value: unknown, depth = 0): string => written(value, PYTHON, depth);

/** `depth`: indentation of the line on which the value starts. */
function written(value: unknown, notation: Notation, depth: number): string {
  if (value === null || value === undefined) return notation.nothing;
  if (typeof value === 'string') return notation.text(value);
  if (typeof value === 'boolean') return notation.flag(value);
  if (typeof value !== 'object') return String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const parts = (deeper: number): readonly string[] =>
    isList
      ? value.map((each) => written(each, notation, deeper))
      : Object.entries(value).map(([name, each]) => `${notation.name(name)}: ${written(each, notation, deeper)}`);
  const air = isList || parts(depth).length === 0 ? '' : notation.air;
  const line = `${open}${air}${parts(depth).join(', ')}${air}${close}`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  const inner = notation.indent.repeat(depth + 1);
  return `${open}\n${parts(depth + 1)
    .map((part) => `${inner}${part},\n`)
    .join('')}${notation.indent.repeat(depth)}${close}`;
}

/** Any text as one word of a shell. */
export const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
