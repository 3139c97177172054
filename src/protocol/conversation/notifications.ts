// What a person should hear about without having asked for it.

import { z } from 'zod';
import { Instant } from '../ids.ts';

export const Notification = z.strictObject({
  /** The number of the record that it is about. */
  id: z.int().min(1),
  at: Instant,
  level: z.enum(['info', 'warning']),
  text: z.string(),
  read: z.boolean(),
});
export type Notification = z.infer<typeof Notification>;

/** What an agent's replies have earned: +1 for an accepted evidenced one, −1 for a refused one, 0 for abstaining. */
export const CreditRow = z.strictObject({
  agent: z.string(),
  credits: z.int(),
  accepted: z.int(),
  refused: z.int(),
  abstained: z.int(),
});
export type CreditRow = z.infer<typeof CreditRow>;
