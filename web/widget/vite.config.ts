import type { InlineConfig } from 'vite'
import { buildLogger } from '../logger.ts'

/** Builds the parts of the widget: the script that sites load, and the document in its frame. */

const common = {
  configFile: false,
  customLogger: buildLogger,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
} satisfies InlineConfig

const build = {
  emptyOutDir: false,
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
  // The widget's colours for light and dark use the browser's `light-dark()`.
  cssTarget: 'esnext',
} as const

export const buildFrame = (outDir: string): InlineConfig => ({
  ...common,
  root: `${import.meta.dirname}/frame`,
  base: '/widget/',
  build: { ...build, outDir, rolldownOptions: { checks: { pluginTimings: false } } },
})

/** One file without imports and with a fixed name, because other sites' pages refer to it. */
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
