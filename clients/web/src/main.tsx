// clients/web: the control room, where a human sees what agents do and answers for them.
// Owns the page under /ui/: its state, its words and its look.
// Invariant: it has no authority. The daemon decides, records and checks who answers; the page shows rows and sends answers.
// Refuses: every import but react, react-dom and the protocol's types; inline scripts and styles, which the page's policy blocks.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrokenPage } from './broken-page.tsx';
import { keepConnected } from './connection.ts';
import { Page } from './page.tsx';
import { createStore, nextFrame } from './store.ts';

const store = createStore(nextFrame);
keepConnected(store.dispatch);
createRoot(document.getElementById('room')!).render(
  <StrictMode>
    <BrokenPage>
      <Page store={store} />
    </BrokenPage>
  </StrictMode>,
);
