// What an import statement takes in, from its text: each language has few forms, and all of them are short.

import type { GrammarName } from './grammar-queries.ts';

export interface Imported {
  readonly specifier: string;
  /** A name, `*` for all of it, or null when it is only run. */
  readonly imported: string | null;
  readonly local: string | null;
}

const MAX_STATEMENT_LENGTH = 10_000;

export function importsIn(grammar: GrammarName, statement: string): readonly Imported[] {
  const text = statement.slice(0, MAX_STATEMENT_LENGTH).replace(/\s+/g, ' ').trim().replace(/;$/, '').trim();
  switch (grammar) {
    case 'python':
      return python(text);
    case 'go':
      return go(text);
    case 'rust':
      return rust(text.replace(/^.*?\buse /, ''), []);
    case 'java': {
      const name = text.replace(/^import (?:static )?/, '').trim();
      return [byLastName(name, '.')];
    }
    case 'csharp': {
      const [, alias, name = ''] = /^(?:global )?using (?:static )?(?:(\w+) ?= ?)?(.+)$/.exec(text) ?? [];
      return name === '' ? [] : [{ specifier: name, imported: '*', local: alias ?? null }];
    }
    case 'cpp': {
      const name = /["<]([^">]+)[">]/.exec(text)?.[1];
      return name === undefined ? [] : [{ specifier: text.includes('"') ? `./${name}` : name, imported: '*', local: null }];
    }
    case 'ruby': {
      const name = /["']([^"']+)["']/.exec(text)?.[1];
      return name === undefined
        ? []
        : [{ specifier: text.startsWith('require_relative') ? `./${name}` : name, imported: null, local: null }];
    }
    case 'php':
      return php(text);
  }
}

function python(text: string): readonly Imported[] {
  const [, from, names] = /^from (\S+) import \(?(.*?)\)?$/.exec(text) ?? [];
  if (from !== undefined && names !== undefined)
    return listed(names).map(([name, alias]) => ({ specifier: from, imported: name, local: name === '*' ? null : (alias ?? name) }));
  return listed(text.replace(/^import /, '')).map(([name, alias]) => ({
    specifier: name,
    imported: '*',
    local: alias ?? name.split('.')[0]!,
  }));
}

/** `a, b as c`. */
const listed = (text: string): readonly (readonly [name: string, alias: string | undefined])[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => part.split(/ as /) as [string, string | undefined]);

function go(text: string): readonly Imported[] {
  const [, alias, path = ''] = /^(?:([\w.]+) )?["`](.+)["`]$/.exec(text) ?? [];
  return path === ''
    ? []
    : [
        {
          specifier: path,
          imported: '*',
          local:
            alias ??
            path
              .split('/')
              .at(-1)!
              .replace(/^v\d+$/, path.split('/').at(-2) ?? ''),
        },
      ];
}

function rust(text: string, before: readonly string[]): readonly Imported[] {
  const brace = text.indexOf('{');
  if (brace < 0) {
    const [path = '', alias] = text.split(/ as /);
    const names = [...before, ...path.split('::').map((name) => name.trim())].filter((name) => name !== '');
    const last = names.at(-1) ?? '';
    const isSelf = last === 'self';
    const name = isSelf ? names.at(-2)! : last;
    return names.length === 0
      ? []
      : [{ specifier: names.slice(0, isSelf ? -2 : -1).join('::'), imported: name, local: name === '*' ? null : (alias ?? name) }];
  }
  const prefix = [...before, ...text.slice(0, brace).split('::')].map((name) => name.trim()).filter((name) => name !== '');
  return parts(text.slice(brace + 1, text.lastIndexOf('}'))).flatMap((part) => rust(part, prefix));
}

/** Split at the commas outside braces. */
function parts(text: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
    else if (at === text.length || (text[at] === ',' && depth === 0)) {
      if (text.slice(start, at).trim() !== '') found.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return found;
}

function php(text: string): readonly Imported[] {
  if (!text.startsWith('use ')) {
    const name = /["']([^"']+)["']/.exec(text)?.[1];
    return name === undefined ? [] : [{ specifier: name.replace(/^\//, './'), imported: null, local: null }];
  }
  const body = text.replace(/^use (?:function |const )?/, '');
  const [, prefix = '', inner = body] = /^(.*\\)\{(.*)\}$/.exec(body) ?? [];
  return listed(inner).map(([name, alias]) => {
    const whole = byLastName(`${prefix}${name}`.replace(/^\\/, ''), '\\');
    return { ...whole, local: alias ?? whole.local };
  });
}

function byLastName(name: string, between: string): Imported {
  const at = name.lastIndexOf(between);
  const last = name.slice(at + 1);
  return { specifier: name.slice(0, Math.max(0, at)), imported: last, local: last === '*' ? null : last };
}
