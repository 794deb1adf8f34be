import react from '@vitejs/plugin-react'
import { defineConfig, type InlineConfig, type Plugin } from 'vite'
import manifest from '../package.json' with { type: 'json' }
import { buildLogger } from './logger.ts'

/** Excludes code for sign-in, forms and settings, which the first view of the inbox does not need. */
const shared =
  /node_modules\/(?!@?better-|@simplewebauthn|nanostores|@nanostores|@mantine\/form)|dashboard\/core\/(?!form|page-text|texts)/

/**
 * Each of Mantine's components brings its own style sheet with it, after those of the components that it
 * contains, so that a page loads only the styles that it needs. A development server does not transform
 * packages and loads all styles at once.
 */
const mantineStyles = (): Plugin => {
  let isBuild = false
  return {
    name: 'mantine-styles',
    configResolved: ({ command }) => {
      isBuild = command === 'build'
    },
    transform(code, id) {
      const [, component] = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id) ?? []
      if (isBuild && component) return `import '@mantine/core/styles/${component}.layer.css'\n${code}`
      if (!isBuild && id.endsWith('dashboard/app.tsx'))
        return `import '@mantine/core/styles.layer.css'\n${code}`
      return null
    },
  }
}

export default defineConfig({
  root: `${import.meta.dirname}/dashboard`,
  customLogger: buildLogger,
  plugins: [react(), mantineStyles()],
  define: { __VERSION__: JSON.stringify(manifest.version) },
  // The server replaces it in every page that it sends.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // The page's own policy would reject inline assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // Everything that the first view of the inbox needs, in one chunk. Later code is behind an
            // import().
            { name: 'inbox', tags: ['$initial'] },
            // Everything else that an open ticket needs.
            { name: 'ticket', test: /inbox\/ticket-page\.tsx$/ },
            { name: 'page-texts', test: /dashboard\/core\/(page-text|texts\/)/ },
            // Code that many pages share, in one chunk instead of forty. The inbox loads it when it is idle, so code that few pages share stays with them.
            { name: 'common', minShareCount: 6, test: shared },
          ],
        },
      },
    },
  },
})

/** One file without imports and with a fixed name, because browsers compare it with the version that they have. */
export const buildServiceWorker = (outDir: string): InlineConfig => ({
  configFile: false,
  customLogger: buildLogger,
  logLevel: 'warn',
  root: `${import.meta.dirname}/dashboard/notifications`,
  publicDir: false,
  build: {
    outDir,
    emptyOutDir: false,
    reportCompressedSize: false,
    lib: {
      entry: 'service-worker.ts',
      name: 'deskbellNotifications',
      formats: ['iife'],
      fileName: () => 'service-worker.js',
    },
  },
})
