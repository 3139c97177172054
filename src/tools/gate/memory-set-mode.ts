// memory_set_mode: an agent declares its mode. It may go up, and down to PASSIVE always; never below a human's minimum.

import { z } from 'zod';
import { Mode, streams } from '../../protocol/index.ts';
import { defineTool, plan, refuse } from '../tool.ts';

export const memorySetMode = defineTool({
  name: 'memory_set_mode',
  description: 'Declares the mode that you work in: PASSIVE (observation only), GUARDED or STRICT.',
  input: z.strictObject({ mode: Mode }),
  declare: plan,
  idempotent: true,
  surfaces: ['contract'],
  run: async ({ mode }, { session, settings }) => {
    if (settings.pinnedMode && mode !== 'PASSIVE') {
      return refuse(
        'MODE_PINNED',
        'A human pinned this workspace to PASSIVE.',
        'Work by observation only, or ask a human to lift the pin',
        null,
      );
    }
    if (mode === 'GUARDED' && settings.minimumMode === 'STRICT') {
      return refuse('MODE_BELOW_MINIMUM', 'A human set STRICT as the minimum here.', 'Declare STRICT', {
        tool: 'begin_work',
        args: { mode: 'STRICT' },
      });
    }
    if (mode === 'GUARDED' && session.mode === 'STRICT') {
      return refuse('MODE_LOWERED', 'STRICT was declared here, and an agent does not lower it to GUARDED.', 'Go on in STRICT', {
        tool: 'begin_work',
        args: { mode: 'STRICT' },
      });
    }
    return {
      output: { mode },
      events: [{ stream: streams.session(session.id), event: { type: 'mode_declared', data: { session: session.id, mode, by: 'agent' } } }],
    };
  },
});
