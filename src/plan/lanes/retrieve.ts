// All five lanes for one question, put into one order.

import { LANES, type LaneName, type LaneHit, type LanePorts, type Retrieval } from './lane.ts';
import { LANE_BY_NAME } from './lanes.ts';
import { rerank } from './rerank.ts';

/** The most results that each lane may return before ordering. */
const PER_LANE = 20;
/** Documents may stand far behind code that has the same words. */
const FILES_MAX = 10 * PER_LANE;

export async function retrieve(ports: LanePorts, question: string, limit: number): Promise<Retrieval> {
  const { hits: files } = await ports.index.rank(question, FILES_MAX);
  const found = {} as Record<LaneName, readonly LaneHit[]>;
  for (const lane of LANES) found[lane] = await LANE_BY_NAME[lane]({ ...ports, files }, question, PER_LANE);
  return {
    question,
    results: rerank(question, found, limit),
    lanes: Object.fromEntries(LANES.map((lane) => [lane, found[lane].length])) as Record<LaneName, number>,
  };
}
