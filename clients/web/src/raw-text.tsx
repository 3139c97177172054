// Text that an agent wrote. It is shown exactly, with hidden characters made visible.

import { memo, useLayoutEffect, useRef, useState } from 'react';
import { countLines, countMarks, type Lines, makeVisible, visibleText } from './make-visible.ts';

const Pieces = ({ text, lines }: { text: string; lines: Lines }) =>
  makeVisible(text, lines).map((piece, index) =>
    piece.kind === 'text' ? (
      piece.text
    ) : (
      <span key={index} className="mark" title={piece.name}>
        {piece.text}
      </span>
    ),
  );

/** A word or a sentence on one line. It cannot reorder the text around it. */
export const RawLine = memo(({ text }: { text: string }) => (
  <bdi>
    <Pieces text={text} lines="marked" />
  </bdi>
));

/** A whole input, command or output, in the order of its characters. Past forty lines it scrolls and says so. */
export const RawBlock = memo(({ label, text }: { label: string; text: string }) => {
  const box = useRef<HTMLPreElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setScrolls(element.scrollHeight > element.clientHeight + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, [text]);

  const lines = countLines(text);
  const marks = countMarks(text, 'kept');
  const notes = [
    text === '' ? 'empty' : null,
    lines > 1 ? `${lines} lines` : null,
    scrolls ? `${text.length.toLocaleString('en')} characters, scroll inside the box to read all of it` : null,
    marks > 0 ? `${marks} hidden ${marks === 1 ? 'character' : 'characters'} made visible` : null,
  ].filter((note) => note !== null);

  return (
    <figure className="raw">
      <figcaption>
        <span className="raw-label">
          <RawLine text={label} />
        </span>
        {notes.length > 0 && <span className={marks > 0 ? 'raw-note raw-warning' : 'raw-note'}>{notes.join(' · ')}</span>}
      </figcaption>
      <pre
        ref={box}
        dir="ltr"
        tabIndex={scrolls ? 0 : undefined}
        role={scrolls ? 'region' : undefined}
        aria-label={scrolls ? visibleText(label, 'marked') : undefined}
      >
        <Pieces text={text} lines="kept" />
      </pre>
    </figure>
  );
});
