// How the nine grounding tools are written: governed tools with the arguments of the contract, on the VFS, with a record of what they read.

import {
  Fault,
  GROUNDING_ARGS,
  type GroundingArgs,
  type GroundingToolId,
  type IssueFilter,
  type IssueRow,
  makeTool,
  type Receipt,
  type Resource,
  type Tool,
  type ToolInput,
} from '../../../protocol/index.ts';
import { sha256Of, type Visibility } from '../../../workspace/index.ts';
import { openVfs, type Vfs, type VfsFile } from '../story/vfs.ts';

/** What the daemon gives to the tools. */
export interface ProseDeps {
  readonly visibilityOf: (root: string) => Promise<Visibility>;
  readonly issuesOf: (root: string, filter: IssueFilter) => Promise<readonly IssueRow[]>;
}

export interface GroundingRun {
  readonly root: string;
  readonly vfs: Vfs;
  /** Reads a file of the VFS; the receipt names it. */
  readonly read: (path: string, from?: number, to?: number) => Promise<VfsFile>;
  readonly deps: ProseDeps;
  readonly signal: AbortSignal;
}

interface GroundingSpec<T extends GroundingToolId> {
  readonly name: T;
  readonly description: string;
  /** The files that the call names, by their paths from the root; `'tree'`: it looks through all of them. */
  readonly touches: (args: GroundingArgs<T>) => readonly string[] | 'tree';
  readonly run: (args: GroundingArgs<T>, run: GroundingRun) => Promise<Record<string, unknown>>;
}

export type GroundingTool = (deps: ProseDeps) => Tool;

export const groundingTool =
  <T extends GroundingToolId>({ name, description, touches, run }: GroundingSpec<T>): GroundingTool =>
  (deps) =>
    makeTool({
      name,
      description,
      input: GROUNDING_ARGS[name] as ToolInput,
      readOnly: true,
      surfaces: ['contract'],
      declare: (args) => {
        const files = touches(args as GroundingArgs<T>);
        return {
          effects: ['observe'],
          resources: files === 'tree' ? [{ kind: 'file', path: '.', access: 'read', deep: true }] : files.map(reads),
        };
      },
      run: async (input, { place: { root }, signal }) => {
        const args = input as GroundingArgs<T>;
        const files = touches(args);
        if ('dry_run' in args && args.dry_run === true)
          return { output: { dry_run: true, would_read: files === 'tree' ? 'the tree' : files } };
        const vfs = openVfs(root, await deps.visibilityOf(root));
        const read = new ReadFiles(vfs);
        const output = await run(args, { root, vfs, deps, signal, read: (path, from, to) => read.read(path, from, to) });
        return { output, reads: read.all() };
      },
    });

const reads = (path: string): Resource => ({ kind: 'file', path, access: 'read' });

class ReadFiles {
  readonly #vfs: Vfs;
  readonly #read = new Map<string, NonNullable<Receipt['reads']>[number]>();

  constructor(vfs: Vfs) {
    this.#vfs = vfs;
  }

  async read(path: string, from = 1, to?: number): Promise<VfsFile> {
    const file = await this.#vfs.read(path);
    const end_line = Math.min(file.lines.length, to ?? file.lines.length);
    this.#read.set(file.path, {
      ...{ path: file.path, sha256: file.sha256, start_line: end_line === 0 ? 0 : from, end_line },
      excerpt_sha256: sha256Of(Buffer.from(file.lines.slice(from - 1, end_line).join('\n'))),
    });
    return file;
  }

  all(): NonNullable<Receipt['reads']> {
    return [...this.#read.values()];
  }
}

/** A precondition of a tool that does not hold. */
export const unmet = (message: string, fix: string): Fault => new Fault('BAD_REQUEST', message, { fix });
