import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { pressKey } from './core/keys.ts'
import { loadTexts } from './core/text.ts'

const dir = await loadTexts()
window.addEventListener('keydown', pressKey)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App dir={dir} />
  </StrictMode>,
)
