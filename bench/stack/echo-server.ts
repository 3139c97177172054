// The least that an MCP server can be: the official SDK on stdio with one tool that returns what it was given.

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'echo', version: '1' });
  server.registerTool('echo', { inputSchema: z.looseObject({}) }, (input) => ({
    content: [{ type: 'text', text: JSON.stringify(input) }],
    structuredContent: input,
  }));
  return server;
});
