// The drawn vocabulary. A shape is always shown with its word, so the shapes are hidden from screen readers.

import type { Look, ShapeName } from './shape-of.ts';

const OUTLINES: Readonly<Record<ShapeName, React.ReactNode>> = {
  circle: <circle cx="6" cy="6" r="4.5" />,
  diamond: <path d="M6 .7 11.3 6 6 11.3.7 6Z" />,
  'hollow-diamond': <path d="M6 .7 11.3 6 6 11.3.7 6Z" />,
  triangle: <path d="M6 1 11.2 10.6H.8Z" />,
  back: <path d="M3.2 5.2H8a2.4 2.4 0 0 1 0 4.8H5.2M3.2 5.2 5.8 2.6M3.2 5.2l2.6 2.6" />,
  square: <path d="M1.5 1.5h9v9h-9Z" />,
  dotted: <circle cx="6" cy="6" r="4.5" />,
};

export const Shape = ({ look }: { look: Look }) => (
  <svg className={`shape shape-${look.shape} tone-${look.tone}`} viewBox="0 0 12 12" aria-hidden="true">
    {OUTLINES[look.shape]}
  </svg>
);

/** Only for what a human did or may do. Hollow: it is not proven that it was a human. */
export const Seal = ({ hollow = false }: { hollow?: boolean }) => (
  <svg className={hollow ? 'seal seal-hollow' : 'seal'} viewBox="0 0 24 24" aria-hidden="true">
    <path
      className="seal-body"
      d="M12 1.9A2.75 2.75 0 0 1 17.05 3.25A2.75 2.75 0 0 1 20.75 6.95A2.75 2.75 0 0 1 22.1 12A2.75 2.75 0 0 1 20.75 17.05A2.75 2.75 0 0 1 17.05 20.75A2.75 2.75 0 0 1 12 22.1A2.75 2.75 0 0 1 6.95 20.75A2.75 2.75 0 0 1 3.25 17.05A2.75 2.75 0 0 1 1.9 12A2.75 2.75 0 0 1 3.25 6.95A2.75 2.75 0 0 1 6.95 3.25A2.75 2.75 0 0 1 12 1.9Z"
    />
    <path className="seal-check" d="M7.6 12.4l3 3 5.8-6.4" />
  </svg>
);
