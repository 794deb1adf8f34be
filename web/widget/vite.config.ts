import type { InlineConfig } from 'vite'

/** What the widget is made of: the script that sites load, and the document that it puts into their pages. */

const common = {
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
} satisfies InlineConfig

const build = {
  emptyOutDir: false,
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
  // Its own colours for light and dark are the browser's `light-dark()`.
  cssTarget: 'esnext',
} as const

export const buildFrame = (outDir: string): InlineConfig => ({
  ...common,
  root: `${import.meta.dirname}/frame`,
  base: '/widget/',
  build: { ...build, outDir, rolldownOptions: { checks: { pluginTimings: false } } },
})

/** One file with no imports, whose name never changes: it stands in the pages of others. */
export const buildLoader = (outDir: string): InlineConfig => ({
  ...common,
  root: `${import.meta.dirname}/loader`,
  publicDir: false,
  build: {
    ...build,
    outDir,
    lib: { entry: 'main.ts', name: 'deskbellLoader', formats: ['iife'], fileName: () => 'widget.js' },
  },
})
