import { type ReactNode, Suspense, useEffect } from 'react'
import { firstIdle } from './idle.ts'
import { createStore } from './store.ts'

const isIdle = createStore(false)

/** Around components that nobody sees at first, made by `lazy`: once the page is shown they come too, and are there offline. */
export function Later({ children }: { children: ReactNode }) {
  useEffect(() => void firstIdle().then(() => isIdle.set(true)), [])
  return isIdle.use() && <Suspense>{children}</Suspense>
}
