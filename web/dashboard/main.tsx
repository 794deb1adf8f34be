import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { pressKey } from './core/keys.ts'
import { nonce } from './core/nonce.ts'
import { showKeptPanes } from './core/panes.ts'
import { loadTexts } from './core/text.ts'
import './notifications/clicked.ts'

// The nonce for the library that stops the page from scrolling under a dialog.
Object.assign(window, { __webpack_nonce__: nonce })

showKeptPanes()
const dir = await loadTexts()
window.addEventListener('keydown', pressKey)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App dir={dir} />
  </StrictMode>,
)
