// The part of the workspace that reads no document, for threads that walk and watch a tree: the readers of documents take longer to
// load than the walk takes.

export { compileGlob } from './glob.ts';
export { type IgnoreRules, isIgnored, parseIgnore } from './git-ignore.ts';
export { NO_PATH_CONFIG, type PathConfig, pathClass } from './path-class.ts';
export { TrackedFiles } from './tracked-files.ts';
export { isHidden, type Visibility } from './walk-files.ts';
export { type TreeWatch, watchTree } from './watch.ts';
