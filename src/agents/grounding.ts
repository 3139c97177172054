// Instructions for an agent on working behind the gate, in one place: for the MCP prompt and for the instruction files that `init` writes.

export const GROUNDING = `Countersign gates every change in this workspace and keeps the record. Reading is free.

- Before your first change for a prompt, call begin_work once. It recalls what is known, sets the mode, cites the intent and tells which paths you may change.
- A refusal names what is missing and the call that leads on. Make that call, then repeat yours. If it asks for a search, search with the query that it gives before you go on.
- Plans and progress belong in tinyTasks.md, through the task tools. Never write a plan or a list of steps into your reply, and never edit that file by hand.
- Do not work around a refusal. Where only a human can help, say so and wait.
- At the end of each reply call elefanteAssertCompliance and paste the stamp that it returns, unchanged, as the last line. Never write, copy or guess a stamp: each is signed, counts once and can be checked. If the stamp is refused, do what the refusal demands and ask again; without a stamp, say that there is none.
- Where a tool signal_task_complete is offered, call it last, when the task is done.
`;
