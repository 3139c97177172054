// Small questions about the form of statements and their words.

import type { AndOr, CommandNode, Pipeline, Redirection, Statement } from 'unbash';

/** Names that no shell and no program gives a meaning to. `path` is one that zsh does. */
export const LOOP_VARIABLE = /^(?:[a-z]|file|dir|name|item|line|word|ext|pkg|num|key|ref|branch|commit|test|module)$/;

/** No quote, no expansion, no pattern, no tilde at its beginning, in any shell. */
export const PLAIN_WORD = /^[\w./:@%+,-][\w./:@%+,=-]*$/;
/** The same with stars and question marks in it. */
export const PLAIN_PATTERN = /^[\w./:@%+,*?-][\w./:@%+,=*?-]*$/;

/** Words that change the folder; in a loop or a function, the number of times is unknown. */
export const CHANGES_FOLDER = /\b(?:cd|pushd|popd)\b/;

/** The end of a here-document that every shell reads alike. */
export const PLAIN_DELIMITER = /^(?:'[^'$`\\]*'|"[^"$`\\]*"|\\?[\w.!%+,:@-]+)$/;

/** `cd x || exit`: what follows runs only where the folder was changed. */
export function isGuarded({ command }: Statement): boolean {
  return command.type === 'AndOr' && command.operators.at(-1) === '||' && endsShell(command.commands.at(-1));
}

export function endsShell(node: CommandNode | Pipeline | AndOr | undefined): boolean {
  return node?.type === 'Command' && node.prefix.length === 0 && /^(?:exit|return)$/.test(node.name?.text ?? '');
}

export function heredocTexts(redirects: readonly Redirection[]): string[] {
  return redirects.flatMap((redirect) => {
    if (redirect.type === 'HereDoc') return [redirect.body.text];
    return redirect.type === 'HereString' && redirect.target !== undefined ? [redirect.target.value] : [];
  });
}
