// Imported before everything else in this folder, so that an old Node says one sentence instead of a syntax error.
// Keep the files here to what Node 14 can parse, with default imports of built-ins: a missing named export stops the program
// before this line runs.

if (Number(process.versions.node.split('.')[0]) < 18) {
  console.error(
    `Countersign needs Node 18 or newer to set itself up; this is Node ${process.versions.node}. Install a newer Node and run the command again.`,
  );
  process.exit(2);
}
