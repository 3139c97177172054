// Shows a person on their desktop that something waits, where the settings of that work tree say so.

import { notifyDesktop } from '../install/desktop-notice.ts';
import { visible, type InboxItem, type LedgerRecord } from '../protocol/index.ts';

export interface NoticeOptions {
  readonly subscribe: (listener: (records: readonly LedgerRecord[]) => void) => () => void;
  readonly inbox: () => Promise<readonly InboxItem[]>;
  readonly isWanted: (root: string) => Promise<boolean>;
  readonly log: (message: string) => void;
  readonly notify?: typeof notifyDesktop;
}

/** A notification is glanced at; the whole question is where it is answered. */
const SHOWN = 200;

export function desktopNotices({ subscribe, inbox, isWanted, log, notify = notifyDesktop }: NoticeOptions): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();

  const unsubscribe = subscribe((records) => {
    for (const { event } of records) {
      const id =
        event.type === 'approval_requested' ? event.data.approval.id : event.type === 'intent_proposed' ? event.data.intent.id : null;
      if (id !== null) running = running.then(() => show(id)).catch((error: unknown) => log(`notification: ${String(error)}`));
    }
  });

  async function show(id: string): Promise<void> {
    const item = (await inbox()).find((each) => each.id === id);
    if (!item || !(await isWanted(item.root))) return;
    const what = visible(item.what);
    const text = what.length > SHOWN ? `${what.slice(0, SHOWN)}…` : what;
    const title = `Countersign: ${item.agent === null ? 'a proposal' : `${visible(item.agent)} asks`}`;
    if (!(await notify(title, `${text}\n${item.yes}`))) log('notification: notify-send showed nothing');
  }

  return {
    stop: async () => {
      unsubscribe();
      await running;
    },
  };
}
