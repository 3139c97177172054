// What the graph keeps of a file's facts: far less than all of them, since every reference of a large tree would not fit.

import type { CallEdge, Definition, FileFacts, TemplateFact } from '../model.ts';

/** A name of another file that is used here. */
export interface Use {
  readonly name: string;
  readonly within: string | null;
  readonly line: number;
}

/** Without the texts, which are not used here. */
export type PartDefinition = Omit<Definition, 'signature'>;
export type PartCall = Pick<CallEdge, 'caller' | 'callee' | 'of' | 'line'>;

export interface FilePart extends Omit<FileFacts, 'definitions' | 'calls' | 'references' | 'decorators'> {
  readonly definitions: readonly PartDefinition[];
  readonly calls: readonly PartCall[];
  readonly uses: readonly Use[];
}

const NOT_A_USE = new Set(['import', 'export', 'call']);

/** `keeps`: whether a pack needs this line of a template. */
export function filePart(facts: FileFacts, keeps: (fact: TemplateFact) => boolean): FilePart {
  const { file, imports, exports, inheritance, components } = facts;
  const imported = new Set(imports.flatMap(({ local }) => local ?? []));
  const uses = new Map<string, Use>();
  for (const { name, role, within, line } of facts.references)
    if (imported.has(name) && !NOT_A_USE.has(role)) {
      const key = `${within ?? ''}\n${name}`;
      if (!uses.has(key)) uses.set(key, { name, within, line });
    }
  return {
    file,
    imports,
    exports,
    inheritance,
    components,
    // Keys of JSON and YAML are found by searching; as nodes they would outnumber everything else.
    definitions: facts.definitions.filter(({ kind }) => kind !== 'key').map(({ signature: _, ...rest }) => rest),
    calls: facts.calls.map(({ caller, callee, of, line }) => ({ caller, callee, of, line })),
    uses: [...uses.values()],
    template: facts.template.filter(keeps),
  };
}
