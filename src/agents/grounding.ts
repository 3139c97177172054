// Instructions for an agent on working behind the gate, in one place: for the MCP prompt and for the instruction files that `init` writes.

export const GROUNDING = `Countersign gates every change in this workspace and keeps the record. Reading is free.

- Before your first change for a prompt, call begin_work once. It recalls what is known, sets the mode, cites the intent and tells which paths you may change.
- A refusal names what is missing and the call that leads on. Make that call, then repeat yours.
- Plans and progress belong in tinyTasks.md, through the task tools. Never write a plan or a list of steps into your reply, and never edit that file by hand.
- Do not work around a refusal. Where only a human can help, say so and wait.
- You are REQUIRED to include the official Compliance Stamp at the end of your response. You cannot write this stamp yourself; you must obtain it by calling \`elefanteAssertCompliance\`. If the tool rejects you, you must perform the search it demands.
- When all implementation tasks are complete, call \`signal_task_complete\` with an optional \`summary\` to generate a session retrospective. Skip this where the tool is not offered.
`;
