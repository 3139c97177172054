// All five lanes for one question, put into one order.

import { LANES, type LaneName, type LaneHit, type LanePorts, type Retrieval } from './lane.ts';
import { LANE_BY_NAME } from './lanes.ts';
import { rerank } from './rerank.ts';

/** The most results that each lane may return before ordering. */
const PER_LANE = 20;

export async function retrieve(ports: LanePorts, question: string, limit: number): Promise<Retrieval> {
  const found = {} as Record<LaneName, readonly LaneHit[]>;
  for (const lane of LANES) found[lane] = await LANE_BY_NAME[lane](ports, question, PER_LANE);
  return {
    question,
    results: rerank(question, found, limit),
    lanes: Object.fromEntries(LANES.map((lane) => [lane, found[lane].length])) as Record<LaneName, number>,
  };
}
