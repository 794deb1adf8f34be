import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: `${import.meta.dirname}/dashboard`,
  plugins: [react()],
  // The server puts a new one into every page that it sends.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // Whatever stands inline would be refused by the page's own policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
