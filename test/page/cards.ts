// A person at the cards of the page.

import type { Locator, Page } from 'playwright-core';

/** The card that shows exactly this text somewhere: its command, for one. */
export const cardWith = (page: Page, text: string): Locator =>
  page.getByRole('article').filter({ has: page.getByText(text, { exact: true }) });

export const armed = (card: Locator): Promise<void> => card.locator('.countersign[aria-disabled=false]').waitFor();

/** Presses until it counts: the card is disabled whenever something moves it, such as another card that disappears. */
export async function answer(card: Locator, button: 'Countersign' | 'Reject'): Promise<void> {
  const answered = card.locator('.outcome, .answer [role=alert]');
  for (;;) {
    await armed(card);
    await card.getByRole('button', { name: button }).click();
    const seen = await answered.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (seen) return;
  }
}
