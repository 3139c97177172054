// A chain's position after a head. Plain data, so that a snapshot can carry it and a later start can continue from it.

import type { FrontierData } from './hash.ts';
import { NO_LINE } from './record-line.ts';

export interface ChainPosition {
  /** The number of the segment that the next line goes to, from 1. */
  readonly segment: number;
  readonly offset: number;
  /** Lines before `offset` in that segment. */
  readonly line: number;
  /** Records so far. */
  readonly size: number;
  readonly heads: number;
  /** The hash of the last line, which is a head; 64 zeros at the start. */
  readonly prev: string;
  /** The hash of the last record's line; null when there is none. */
  readonly chain: string | null;
  readonly frontier: FrontierData;
  /** Each stream's last position. */
  readonly streams: Readonly<Record<string, number>>;
}

export const EMPTY_CHAIN: ChainPosition = {
  segment: 1,
  offset: 0,
  line: 0,
  size: 0,
  heads: 0,
  prev: NO_LINE,
  chain: null,
  frontier: { size: 0, nodes: [] },
  streams: {},
};

/** Where one record's line is. */
export interface RecordPlace {
  readonly seq: number;
  readonly stream: string;
  readonly stream_seq: number;
  readonly type: string;
  readonly at: string;
  readonly segment: number;
  readonly offset: number;
  /** Without the newline. */
  readonly length: number;
  /** The hash of the line. */
  readonly chain: string;
}
