// A tool for files: when it cannot do its work, its fault names the call that leads on, which is to look at what is there.

import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault, type JudgedPlace, type ToolInput } from '../../protocol/index.ts';
import { defineTool } from '../tool.ts';

export const LIST_FIRST = 'Call list_files to see what is there';

type FileToolSpec<S extends ToolInput> = Parameters<typeof defineTool<S>>[0] & { readonly run: unknown };

export const defineFileTool = <S extends ToolInput>({ run, ...spec }: FileToolSpec<S>) =>
  defineTool<S>({
    ...spec,
    run: async (input, context, deps) => {
      try {
        return await run!(input, context, deps);
      } catch (error) {
        throw error instanceof Fault && error.remedy === null ? leadOn(error, context.place) : error;
      }
    },
  });

/** What only a human can change stays as it is. */
function leadOn(fault: Fault, { root, judged }: JudgedPlace): Fault {
  const path = judged[0]?.real ?? '.';
  const said = { ...(fault.fix === null ? {} : { fix: fault.fix }), cause: fault.cause ?? fault };
  if (fault.code === 'CONFLICT' && isFile(root, path)) return new Fault(fault.code, fault.message, { ...said, remedy: readAgain(path) });
  if (fault.code !== 'NOT_FOUND' && fault.code !== 'BAD_REQUEST' && fault.code !== 'CONFLICT') return fault;
  return new Fault(fault.code, fault.message, { fix: LIST_FIRST, ...said, remedy: listNear(root, path) });
}

const isFile = (root: string, path: string): boolean => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false;

export const readAgain = (path: string) => ({ tool: 'read_file', args: { path } });

/** The folder itself, or the nearest one above the path that there is. */
export function listNear(root: string, path: string) {
  let folder = path;
  while (folder !== '.' && (!existsSync(join(root, folder)) || isFile(root, folder))) folder = dirname(folder);
  return { tool: 'list_files', args: { path: folder } };
}
