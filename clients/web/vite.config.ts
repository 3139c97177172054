import { defineConfig } from 'vite';

export default defineConfig({
  base: '/ui/',
  build: {
    outDir: 'dist',
    // The page is served under `default-src 'self'`: an asset inlined as a data: address would be blocked.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
