// Where the daemon answers what is neither a query nor a command. Those have addresses of their own, made from their names.

export const ADDRESSES = {
  health: '/health',
  page: '/ui/',
  login: '/api/login',
  challenge: '/api/challenge',
  events: '/stream/events',
  hook: '/hooks/:agent/:event',
  wall: '/walls/:agent',
  mcp: '/mcp',
  turn: '/turn',
  description: '/openapi.json',
} as const;
