// How an event is declared.

import { z } from 'zod';

export const event = <T extends string, S extends z.ZodRawShape>(type: T, data: S) =>
  z.strictObject({ type: z.literal(type), data: z.strictObject(data) });
