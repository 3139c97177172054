// A verb that is another tool under its own name and argument names: what it declares and does is that tool's.

import type { z } from 'zod';
import { makeTool, type ToolInput } from '../../protocol/index.ts';
import type { OwnTool } from '../tool.ts';

interface Renamed<S extends ToolInput> {
  readonly name: string;
  readonly description: string;
  readonly input: S;
  readonly tool: OwnTool;
  /** The other tool's input. */
  readonly as: (input: z.output<S>) => Record<string, unknown>;
}

export const renamed =
  <S extends ToolInput>({ name, description, input, tool: own, as }: Renamed<S>): OwnTool =>
  (deps) => {
    const tool = own(deps);
    return makeTool<S>({
      ...{ name, description, input, surfaces: [] },
      declare: (given, place) => tool.describe(as(given), place),
      run: async (given, context) => tool.describe(as(given), context.place).run!(context),
    });
  };
