// How ids are written. Without schemas, because the command line checks an id before it asks the daemon.

export type IdPrefix = 'act' | 'apr' | 'clm' | 'grt' | 'rcp' | 'rul' | 'ses' | 'stp' | 'wsp';

const formOf = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`);

export const ID_FORMS = {
  action: formOf('act'),
  approval: formOf('apr'),
  claim: formOf('clm'),
  grant: formOf('grt'),
  receipt: formOf('rcp'),
  commandRule: formOf('rul'),
  session: formOf('ses'),
  stamp: formOf('stp'),
  workspace: formOf('wsp'),
  /** Short: it is part of the paths of sockets. */
  run: /^run_[0-9A-HJKMNP-TV-Z]{10}$/,
  /** Made from the public key, so that no key can take another's id. */
  approverKey: /^apk_[0-9a-f]{32}$/,
  /** Made from what the task says, so that it stays the same when the line moves. */
  task: /^tsk_[0-9A-HJKMNP-TV-Z]{10}$/,
  /** Intents are named by humans' documents, so they keep the documents' form. */
  intent: /^[A-Z][A-Z0-9]*-[0-9]{1,9}$/,
} as const;
