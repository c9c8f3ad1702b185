// Reads a curl command of the reference as the request that it sends.
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** `variables`: of the shell. Throws for text that is no command of the reference. */
export function readCurl(command: string, variables: Readonly<Record<string, string>> = {}): CurlRequest {
  const [head = '', ...rest] = command.split(" \\\n  --data-binary @- <<'END'\n");
  const body = rest.length > 0 ? rest.join('').replace(/\nEND$/, '') : null;
  const words = [...head.replaceAll('\\\n', ' ').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').replaceAll(/\$(\w+)/g, (name, variable: string) => variables[variable] ?? name),
  );
  const headers: Record<string, string> = {};
  let [method, url] = [body === null ? 'GET' : 'POST', ''];
  if (words.shift() !== 'curl') throw new Error(`no curl command: ${command}`);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(/: (.*)/);
      headers[name] = value;
    } else if (word === '-X') method = words.shift() ?? '';
    else if (word.startsWith('http') && url === '') url = word;
    else if (word !== '-N') throw new Error(`unknown word ${word} in ${command}`);
  }
  return { method, url, headers, body };
}
