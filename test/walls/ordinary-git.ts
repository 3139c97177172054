// What people have an agent do with git all day.

import type { OrdinaryTask } from './ordinary-task.ts';

export const GIT_TASKS: readonly OrdinaryTask[] = [
  {
    name: 'commit on a branch',
    calls: [
      'git checkout -q -b topic && echo "export const t = 1;" > src/t.js && git add src/t.js && git commit -q -m "Add t" && git log --oneline | head -2',
      'git checkout -q main && git merge -q --no-edit topic && git branch -d topic && git status --short',
    ],
  },
  {
    name: 'stash',
    calls: [
      'echo "// wip" >> src/a.js && echo new > src/wip.txt && git stash -u -q && git status --short && git stash list',
      'git stash pop -q && git status --short; git checkout -q src/a.js; rm src/wip.txt',
    ],
  },
  {
    name: 'rebase, with a conflict',
    calls: [
      'git checkout -q -b side && echo "export const b = 3;" > src/b.js && git commit -qam side && git checkout -q main && echo "export const b = 4;" > src/b.js && git commit -qam main',
      'git checkout -q side; git rebase main 2>&1 | grep -c CONFLICT; git status --short',
      'git checkout -q --theirs src/b.js; git add src/b.js; GIT_EDITOR=true git rebase --continue 2>&1 | tail -1; git log --format=%s | head -2; cat src/b.js',
      'git checkout -q main && git reset -q --hard HEAD~1 && git branch -q -D side; git log --format=%s | head -1',
    ],
  },
  {
    name: 'an interactive rebase with a script as editor',
    calls: [
      'for n in 1 2 3; do echo "export const r = $n;" > src/r.js; git add src/r.js; git commit -q -m "r$n"; done; GIT_SEQUENCE_EDITOR="sed -i 2,3s/^pick/fixup/" git rebase -q -i HEAD~3; git log --format=%s | head -2; cat src/r.js',
    ],
  },
  {
    name: 'cherry-pick, revert, reset, restore, clean',
    calls: [
      'git checkout -q -b pick && echo 1 > src/picked && git add src/picked && git commit -q -m picked && git checkout -q main && git cherry-pick pick >/dev/null && git revert --no-edit HEAD >/dev/null && git log --format=%s | head -2',
      'git branch -q -D pick; echo x >> src/a.js; git restore src/a.js; touch src/junk; git clean -fdq src; git status --short; git reset -q --soft HEAD~2; git status --short; git gc -q --auto; git tag v1 && git describe --tags && git tag -d v1 | cut -c1-15',
    ],
  },
  {
    name: 'a worktree',
    calls: [
      'git worktree add -q -b wt dist/wt && git worktree list | wc -l && cd dist/wt && ls src | head -2',
      'echo "export const w = 1;" > src/w.js && git add src/w.js && git commit -q -m w && git log --format=%s | head -1; cd "$ROOT"',
      'git worktree remove --force dist/wt && git branch -q -D wt && git worktree list | wc -l',
    ],
  },
  {
    name: 'a bisect',
    needs: ['node'],
    calls: [
      'for n in 1 2 3 4; do echo "export const s = $n;" > src/s.js; git add src/s.js; git commit -q -m "s$n"; done; git bisect start HEAD HEAD~3 >/dev/null; git bisect run sh -c "! grep -q 3 src/s.js && ! grep -q 4 src/s.js" 2>&1 | grep -c "first bad commit"; git bisect reset >/dev/null 2>&1; git log --format=%s | head -1',
    ],
  },
  {
    name: 'hooks that the project has, such as those of husky',
    calls: [
      'echo "export const h = 1;" > src/h.js && git add src/h.js && git -c core.hooksPath=scripts/hooks commit -q -m hooked; echo $?; git log --format=%s | head -1',
      'echo FORBIDDEN > src/h.js; git -c core.hooksPath=scripts/hooks commit -qam no; echo $?; git checkout -q src/h.js',
    ],
  },
  {
    name: 'an identity and other settings of the repository',
    calls: [
      'git config user.name "Ada B" && git config user.name && git config --unset user.name; git config user.name "Ada Example"',
      'git remote add other /nowhere/else.git && git remote -v | grep -c other && git remote remove other',
      'git config pull.rebase true && git config --get pull.rebase && git config --unset pull.rebase',
    ],
  },
  {
    name: 'fetch, pull, push with an upstream branch',
    network: true,
    calls: [
      'git fetch -q origin && git branch -r | wc -l',
      'git checkout -q -b feature origin/main && git branch -vv | grep -c "\\[origin/main" ; echo "export const f = 1;" > src/f.js && git add src/f.js && git commit -q -m feature',
      'git push -q -u origin feature 2>&1; git rev-parse --abbrev-ref feature@{upstream}; git status -sb | head -1',
      'git pull -q --rebase origin main 2>&1; git log --format=%s | head -1; git checkout -q main; git branch -q -D feature; git push -q origin --delete feature 2>&1; git branch -r | wc -l',
    ],
  },
  {
    name: 'a clone and a submodule’s status',
    network: true,
    calls: [
      'git clone -q "$(git remote get-url origin)" dist/clone && ls dist/clone/src | head -1 && rm -rf dist/clone; git submodule status; git ls-remote --heads origin | wc -l',
    ],
  },
  {
    name: 'patches by mail',
    calls: [
      'echo "export const m = 1;" > src/m.js && git add src/m.js && git commit -q -m "Add m" && git format-patch -q -1 -o dist/patches && ls dist/patches',
      'git reset -q --hard HEAD~1 && git am -q dist/patches/*.patch && git log --format=%s | head -1; rm -r dist/patches; git diff HEAD~1 --stat | tail -1',
    ],
  },
  {
    name: 'a change added in parts',
    calls: [
      'seq 40 > src/parts && git add src/parts && git commit -q -m parts && sed -i "2s/.*/two/;38s/.*/last/" src/parts && printf "y\\nn\\n" | git add -p src/parts >/dev/null && git diff --cached | grep -c "^+two" && git diff | grep -c "^+last"',
      'git commit -q -m "first part" && git checkout -q src/parts && git log --format=%s | head -1',
    ],
  },
  {
    name: 'an editor for messages, notes and the reflog',
    calls: [
      'GIT_EDITOR="sed -i 1s/.*/Amended/" git commit -q --amend && git log --format=%s | head -1; git notes add -m noted && git notes show && git notes remove 2>/dev/null; git reflog | head -1 | cut -d: -f2-',
      'git blame -s src/parts | head -2 | cut -d" " -f2-; git log -S last --format=%s -- src/parts | wc -l; git shortlog -sn HEAD | wc -l; git fsck --no-dangling 2>&1 | grep -c error',
    ],
  },
  {
    name: 'a worktree on an upstream branch',
    network: true,
    calls: [
      'git worktree add -q -b up dist/up origin/main && cd dist/up && git status -sb | head -1',
      'echo "export const u = 1;" > src/u.js && git add src/u.js && git commit -q -m up && git push -q origin up 2>&1; git branch -u origin/up >/dev/null; git status -sb | head -1; cd "$ROOT"',
      'git push -q origin --delete up 2>&1; git worktree remove --force dist/up && git worktree prune && git branch -q -D up; git worktree list | wc -l',
    ],
  },
  {
    name: 'a bundle and a bare clone',
    calls: [
      'git bundle create -q dist/all.bundle main && git clone -q --bare dist/all.bundle dist/bare.git && git -C dist/bare.git log --format=%s -1 main | wc -l',
      'git remote add near "$PWD/dist/bare.git" && git fetch -q near && git rev-parse near/main | wc -c; git remote remove near; rm -rf dist/all.bundle dist/bare.git',
    ],
  },
];
