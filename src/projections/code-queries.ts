// Questions about code, from the index of the work tree that they are asked in.

import path from 'node:path';
import { type CodeIndex, DEFINITION_KINDS, firstScan, REFERENCE_ROLES, type TreeIndex } from '../codeindex/index.ts';
import { type CODE_QUERIES, Fault, type QueryOutput } from '../protocol/index.ts';

type CodeQuery = keyof typeof CODE_QUERIES;
type Parsed<N extends CodeQuery> = ReturnType<(typeof CODE_QUERIES)[N]['input']['parse']>;
export type CodeAnswers = { readonly [N in CodeQuery]: (input: Parsed<N>) => Promise<QueryOutput<N>> };

export interface CodeQueryContext {
  readonly codeIndex: Pick<CodeIndex, 'tree'>;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
}

export function codeAnswers({ codeIndex, locate }: CodeQueryContext): CodeAnswers {
  const open = async (
    cwd: string,
  ): Promise<{ readonly root: string; readonly tree: TreeIndex; readonly state: QueryOutput<'code_index'>['state'] }> => {
    const { root } = await locate(cwd);
    const tree = codeIndex.tree(root);
    await firstScan(tree);
    const { state } = await tree.status();
    return { root, tree, state };
  };
  const fromRoot = (root: string, cwd: string, file: string): string =>
    path.relative(root, path.resolve(cwd, file)).split(path.sep).join('/');

  return {
    code_index: async ({ cwd, refresh, limit }) => {
      const { tree } = await open(cwd);
      const status = refresh ? await tree.refresh() : await tree.status();
      return { ...status, events: (await tree.events(limit)).hits };
    },
    symbols: async ({ cwd, name, fuzzy, kind, glob, limit }) => {
      const { root, tree, state } = await open(cwd);
      const kinds = kind === undefined ? undefined : kind.split(',').map((each) => oneOf(DEFINITION_KINDS, each, 'kind of definition'));
      return { root, state, ...(await tree.definitions({ name, fuzzy, kinds, glob, limit })) };
    },
    refs: async ({ cwd, name, what, role, glob, precise, limit }) => {
      const { root, tree, state } = await open(cwd);
      const roles = role === undefined ? undefined : role.split(',').map((each) => oneOf(REFERENCE_ROLES, each, 'role'));
      const query = { name, roles, glob, precise, limit };
      if (what === 'references') {
        const { hits, incomplete } = await tree.references(query);
        const uses = hits.map(({ path: file, line, column, name: used, role: as, within, certainty, citation }) => ({
          path: file,
          line,
          column,
          name: used,
          role: as,
          within,
          certainty,
          citation,
          definition: null,
        }));
        return { root, state, hits: uses, incomplete };
      }
      const { hits, incomplete } = await (what === 'callers' ? tree.callers(query) : tree.callees(query));
      const calls = hits.map(({ definition, call, certainty, citation }) => ({
        path: call.path,
        line: call.line,
        column: call.column,
        name: call.callee,
        role: call.is_new ? 'new' : 'call',
        within: call.caller,
        certainty,
        definition,
        citation,
      }));
      return { root, state, hits: calls, incomplete };
    },
    search: async ({ cwd, under, ...question }) => {
      const { root, tree, state } = await open(cwd);
      return { root, state, ...(await tree.search({ ...question, under: under === undefined ? undefined : fromRoot(root, cwd, under) })) };
    },
    rank: async ({ cwd, question, limit }) => {
      const { root, tree, state } = await open(cwd);
      return { root, state, ...(await tree.rank(question, limit)) };
    },
    outline: async ({ cwd, path: file }) => {
      const { root, tree } = await open(cwd);
      const wanted = fromRoot(root, cwd, file);
      const outline = await tree.outline(wanted);
      if (outline) return { root, ...outline };
      const event = (await tree.events(Number.MAX_SAFE_INTEGER)).hits.find((each) => each.path === wanted);
      throw new Fault('NOT_FOUND', event ? `${wanted} ${event.why}.` : `${wanted} is not in the index.`, {
        fix: event
          ? 'Open the file itself'
          : 'Name a file of this work tree that git does not ignore; countersign index tells what is in it',
      });
    },
  };
}

function oneOf<T extends string>(known: readonly T[], given: string, what: string): T {
  const found = known.find((each) => each === given.trim());
  if (found === undefined)
    throw new Fault('BAD_REQUEST', `There is no ${what} ${JSON.stringify(given)}.`, { fix: `One of ${known.join(', ')}` });
  return found;
}
