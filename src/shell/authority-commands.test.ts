// A human's commands in an agent's text: where they would be run, and where they are only text.

import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { authorityCommandIn } from './authority-commands.ts';
import { readCommand } from './read-command.ts';

const ID = 'apr_01M7GTG0V4S4W2A1DX3C4YB7QK';

const RUN = [
  'countersign intent v .',
  `countersign approve ${ID}`,
  `bin/countersign approve ${ID}`,
  '/opt/x/bin/countersign --json intents activate INT-001',
  'countersign --home /tmp/x pause --for 30m',
  'npx countersign intent v .',
  'npx -y countersign@latest intent v .',
  "tmux new -d 'countersign intent v .'",
  'tmux new-session -d countersign intent v .',
  "tmux send-keys -t 0 'countersign intent v .' Enter",
  `setsid -f script -qec 'countersign approve ${ID}' /dev/null`,
  `script -qc "countersign approve ${ID}" /dev/null`,
  "screen -dm bash -c 'countersign mode min off'",
  'nohup countersign pause &',
  "ssh localhost 'countersign intent v .'",
  "echo 'countersign intent v .' | at now",
  `echo "countersign approve ${ID}" | sh`,
  `echo approve ${ID} | xargs countersign`,
  'at now <<< "countersign intent v ."',
  'bash <<EOF\ncountersign intent v .\nEOF',
  'env A=1 countersign intent v .',
  "sh -c 'cd /tmp && countersign intent v .'",
  'bash -lc "bash -c \'countersign settings confirm\'"',
  'find . -name x -exec countersign intent v {} \\;',
  `python3 -c "import subprocess; subprocess.run(['countersign', 'approve', '${ID}'])"`,
  'python3 -c "import os; os.system(\'countersign intent v .\')"',
  'node -e \'require("child_process").execSync("countersign intent v .")\'',
  'true && countersign grants end grt_1',
  'x=$(countersign open)',
  'for i in 1; do countersign intent v .; done',
  'c=countersign; $c intent v .',
  'c=countersign; tmux new -d "$c intent v ."',
  'count""ersign intent v .',
  "ln -s bin/countersign x; tmux new -d './x intent v .'",
  `./x approve ${ID}`,
  'node src/app/main.ts intent v .',
  'sudo -u ada countersign tasks confirm',
  "socat - EXEC:'countersign intent v .',pty",
  "python3 -c \"import pty; pty.spawn(['countersign','intent','v','.'])\"",
  "git rebase --exec 'countersign intent v .' main",
  "git -c alias.x='!countersign intent v .' x",
  "vim -c '!countersign intent v .' a.txt",
];

const TEXT = [
  "git commit -m 'explain countersign approve and countersign intent'",
  'git log --grep "countersign intent"',
  'grep -rn "countersign approve" docs',
  'rg "countersign intent" docs | head -5',
  "echo 'run: countersign intent v .' >> notes.md",
  'cat > notes.md <<EOF\nrun countersign intent v .\nEOF',
  'countersign status',
  'countersign intents',
  'countersign approvals --json',
  'countersign mode',
  'countersign memory query approve',
  'bin/countersign explain "rm -rf x"',
  'ls bin/countersign intent',
  "npx vitest run -t 'countersign intent says so'",
  "gh pr create --title 'countersign approve' --body 'countersign intent'",
  'bin/countersign-hook --home x claude Stop',
  "sed -i 's/countersign approve/countersign answer/' docs/a.md",
  'cd countersign && npm test',
  'git clone https://example.org/countersign.git && cd countersign',
  'git -C countersign log --oneline',
  'npm install countersign',
  'countersign violations --rule authority',
];

verifies('I13', 'a human’s command is found in every wrapper where its text would be run, and nowhere else', () => {
  expect(RUN.filter((command) => authorityCommandIn(command) === null)).toEqual([]);
  expect(TEXT.flatMap((command) => (authorityCommandIn(command) === null ? [] : [[command, authorityCommandIn(command)]]))).toEqual([]);
  expect(readCommand(RUN[7]!).authority).toBe('countersign intent');
  expect(readCommand('countersign status')).not.toHaveProperty('authority');
});
