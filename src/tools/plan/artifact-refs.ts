// What a node's artefacts are called. The server makes these refs and returns them with the accepted plan.

export interface ArtifactRefs {
  readonly artifactBundleRef: string;
  readonly diffSummaryRef: string;
}

export const artifactRefs = (workId: string, nodeId: string): ArtifactRefs => ({
  artifactBundleRef: `.ai/tmp/work/${workId}/artifacts/${nodeId}/`,
  diffSummaryRef: `.ai/tmp/work/${workId}/artifacts/${nodeId}/diff.summary.json`,
});
