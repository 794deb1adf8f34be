import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import manifest from '../package.json' with { type: 'json' }

/** Not what signing in, forms and pages of settings need: a first look at the inbox shows none of them. */
const shared =
  /node_modules\/(?!@?better-|@simplewebauthn|nanostores|@nanostores|@mantine\/form)|dashboard\/core\/(?!form|page-text|texts)/

export default defineConfig({
  root: `${import.meta.dirname}/dashboard`,
  plugins: [react()],
  define: { __VERSION__: JSON.stringify(manifest.version) },
  // The server puts a new one into every page that it sends.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // Whatever stands inline would be refused by the page's own policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // All that the first look at an inbox shows, in one piece: what comes later is behind an import().
            { name: 'inbox', tags: ['$initial'] },
            { name: 'page-texts', test: /dashboard\/core\/(page-text|texts\/)/ },
            // What several pages share comes in one piece, rather than in forty.
            { name: 'common', minShareCount: 3, test: shared },
          ],
        },
      },
    },
  },
})
