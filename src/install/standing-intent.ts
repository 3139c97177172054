// The first intent, offered by `init`: once, to a person who has just confirmed and has granted nothing yet.

import type { Workspace } from '../workspace/index.ts';
import { ask } from './confirm.ts';
import type { InitOptions } from './init.ts';
import { type ScopeOffer, scopeOffers } from './scope-offers.ts';

const STANDING_TITLE = 'everyday work';
/** More names than these are a number. */
const SHOWN_NAMES = 8;

export async function standingIntent(
  { root }: Workspace,
  { intent, yes, json, hasActiveIntent, say }: InitOptions,
): Promise<{ title: string; paths: readonly string[] } | null> {
  if (intent) return { title: intent.title ?? STANDING_TITLE, paths: intent.paths ?? (await scopeOffers(root))[0].paths };
  if (yes || json || (await hasActiveIntent())) return null;
  const title = await ask(`Grant agents a standing intent now, so that they can begin? Title [${STANDING_TITLE}], or n for none: `);
  if (title === null || /^no?$/i.test(title)) return null;
  const offers = await scopeOffers(root);
  say(offersText(offers));
  const answer = await ask(`What may it change? ${offers.map((_, at) => at + 1).join(', ')}, or paths with spaces between them [1]: `);
  if (answer === null || /^no?$/i.test(answer)) return null;
  const chosen = answer === '' ? offers[0] : offers[Number(answer) - 1];
  return { title: title || STANDING_TITLE, paths: chosen?.paths ?? answer.split(/\s+/) };
}

const offersText = (offers: readonly ScopeOffer[]): string =>
  [
    ...offers.map(
      ({ what, paths, leavesOut }, at) =>
        `  ${at + 1}  ${what}: ${some(paths)}${leavesOut.length === 0 ? '' : `\n     leaves out ${some(leavesOut)}`}`,
    ),
    '  Lockfiles and snapshots follow the file that they belong to. What is left out is not lost: an agent asks you for it.',
  ].join('\n');

const some = (names: readonly string[]): string =>
  names.length <= SHOWN_NAMES
    ? names.join(', ')
    : `${names.slice(0, SHOWN_NAMES - 1).join(', ')} and ${names.length - SHOWN_NAMES + 1} more`;
