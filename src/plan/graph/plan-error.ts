// How the checks of a plan say what is wrong: the code, the place, and the change that makes it right.

import type { PatchStep, PlanCode, PlanError } from '../../protocol/index.ts';

type Json = NonNullable<PatchStep['value']>;

export interface Place {
  readonly nodeId: string | null;
  readonly path: readonly (string | number)[];
}

export interface Complaint {
  readonly code: PlanCode;
  readonly at: Place;
  readonly message: string;
  readonly fix: string;
  readonly patch?: readonly PatchStep[];
  readonly remedy?: PlanError['remedy'];
}

/** Of a node: its field, or part of one. */
export const inNode = (node: { readonly at: number; readonly nodeId: string }, ...field: readonly (string | number)[]): Place => ({
  nodeId: node.nodeId,
  path: ['nodes', node.at, ...field],
});

export const inEnvelope = (...field: readonly (string | number)[]): Place => ({ nodeId: null, path: field });

export function planError({ code, at, message, fix, patch, remedy }: Complaint): PlanError {
  const inside = at.nodeId === null ? at.path : at.path.slice(2);
  return {
    code,
    nodeId: at.nodeId,
    field: shown(inside),
    path: [...at.path],
    message,
    fix,
    ...(patch ? { patch: [...patch] } : {}),
    ...(remedy ? { remedy } : {}),
  };
}

/** `citations[0].sha256`; the plan or the node itself has no field. */
const shown = (path: readonly (string | number)[]): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');

export const pointer = (path: readonly (string | number)[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const replace = (path: readonly (string | number)[], value: Json): PatchStep => ({ op: 'replace', path: pointer(path), value });
export const add = (path: readonly (string | number)[], value: Json): PatchStep => ({ op: 'add', path: pointer(path), value });
export const remove = (path: readonly (string | number)[]): PatchStep => ({ op: 'remove', path: pointer(path) });

/** Leaves entries out of a list, however the list was written. */
export function without(
  node: { readonly at: number; readonly given: { written(field: string): unknown } },
  field: string,
  isOut: (index: number) => boolean,
): PatchStep {
  const written = node.given.written(field);
  const list: readonly unknown[] = Array.isArray(written) ? written : [written];
  return replace(['nodes', node.at, field], list.filter((_, index) => !isOut(index)) as Json);
}

/** Applies patches, each on its own copy; a step whose place is not there is left out. */
export function applyPatch(document: unknown, steps: readonly PatchStep[]): unknown {
  const copy: unknown = structuredClone(document);
  for (const { op, path, value } of steps) {
    const parts = path
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = parts.pop();
    if (last === undefined) return op === 'remove' ? null : value;
    const holder = parts.reduce<unknown>((at, part) => (isHolder(at) ? (at as Record<string, unknown>)[part] : undefined), copy);
    if (Array.isArray(holder)) {
      const index = last === '-' ? holder.length : Number(last);
      if (op === 'add') holder.splice(index, 0, value);
      else if (op === 'remove') holder.splice(index, 1);
      else holder[index] = value;
    } else if (isHolder(holder)) {
      if (op === 'remove') delete (holder as Record<string, unknown>)[last];
      else (holder as Record<string, unknown>)[last] = value;
    }
  }
  return copy;
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;
