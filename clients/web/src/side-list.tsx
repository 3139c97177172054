// A small list beside the record. It starts folded where it would push the record off a narrow screen.

import { type ReactNode, useState } from 'react';

export function SideList({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  const [open, setOpen] = useState(() => matchMedia('(min-width: 1100px)').matches);
  return (
    <details className="side-list" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
        <span className="quiet">{count}</span>
      </summary>
      {children}
    </details>
  );
}
