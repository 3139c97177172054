// Scripts for the shells that complete commands and options. They hold the whole list, so that pressing Tab starts nothing.

import type { Command } from 'commander';
import { commandsIn } from './help.ts';

export const COMPLETED_SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof COMPLETED_SHELLS)[number];

interface Node {
  /** The words that lead here, each after a space; empty for the program. */
  readonly path: string;
  readonly names: readonly { readonly name: string; readonly says: string }[];
  readonly options: readonly { readonly long: string; readonly says: string; readonly takesValue: boolean }[];
}

export function completionFor(shell: Shell, program: Command): string {
  const shared = optionsOf(program);
  const nodes: Node[] = [
    { path: '', names: namesOf(program), options: shared },
    ...commandsIn(program).map(([words, command]) => ({
      path: words.map((word) => ` ${word}`).join(''),
      names: namesOf(command),
      options: [...optionsOf(command), ...shared],
    })),
  ];
  return { bash: forBash, zsh: forZsh, fish: forFish }[shell](nodes);
}

const namesOf = (command: Command): Node['names'] => command.commands.map((each) => ({ name: each.name(), says: each.description() }));
const optionsOf = (command: Command): Node['options'] =>
  command.options.flatMap(({ long, description, required, optional }) =>
    long ? [{ long, says: description, takesValue: required || optional }] : [],
  );

const wordsOf = ({ names, options }: Node): string => [...names.map(({ name }) => name), ...options.map(({ long }) => long)].join(' ');

/** Which of the words typed so far are commands; the same walk in bash and zsh. */
const walk = (nodes: readonly Node[]): string => nodes.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join('|');

const forBash = (nodes: readonly Node[]): string => `# countersign in bash. In ~/.bashrc: source <(countersign completion bash)
_countersign() {
  local current=\${COMP_WORDS[COMP_CWORD]} path= word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${walk(nodes)}) path="$path $word" ;;
    esac
  done
  case "$path" in
${nodes.map((node) => `    '${node.path}') words='${wordsOf(node)}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _countersign countersign`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const forZsh = (nodes: readonly Node[]): string => `#compdef countersign
# countersign in zsh. In ~/.zshrc, after compinit: source <(countersign completion zsh)
_countersign() {
  local typed_path= word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$typed_path $word" in
      ${walk(nodes)}) typed_path="$typed_path $word" ;;
    esac
  done
  case "$typed_path" in
${nodes
  .map((node) => {
    const entries = [...node.names.map(({ name, says }) => [name, says]), ...node.options.map(({ long, says }) => [long, says])];
    return `    '${node.path}') entries=(${entries.map(([name, says]) => quoted(`${name}:${says!.replaceAll(':', '\\:')}`)).join(' ')}) ;;`;
  })
  .join('\n')}
  esac
  _describe countersign entries || _files
}
compdef _countersign countersign`;

function forFish(nodes: readonly Node[]): string {
  const lines = nodes.flatMap((node) => {
    const words = node.path.trim();
    const here = `-n '__countersign_at "${words}"'`;
    return [
      ...node.names.map(({ name, says }) => `complete -c countersign ${here} -f -a ${name} -d ${quotedForFish(says)}`),
      ...node.options.map(
        ({ long, says, takesValue }) =>
          `complete -c countersign ${here} -l ${long.slice(2)}${takesValue ? ' -r' : ''} -d ${quotedForFish(says)}`,
      ),
    ];
  });
  return `# countersign in fish. In ~/.config/fish/config.fish: countersign completion fish | source
function __countersign_at
  set -l at ""
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$at $word")
    if contains -- $next ${nodes.flatMap(({ path }) => (path === '' ? [] : [`"${path.trim()}"`])).join(' ')}
      set at $next
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}`;
}

const quotedForFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
