import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { firstIdle } from './idle.ts'
import { createStore } from './store.ts'

const isIdle = createStore(false)

const maxRetryDelayMs = 30_000

/** What cannot be fetched now is fetched later: a network that is away must not take the page with it. */
async function persist<T>(load: () => Promise<T>, pause = 1_000): Promise<T> {
  try {
    return await load()
  } catch {
    await new Promise(resolve => setTimeout(resolve, pause))
    return persist(load, Math.min(pause * 2, maxRetryDelayMs))
  }
}

/** A component that comes over the network when it is needed, or in `Later`. */
// biome-ignore lint/suspicious/noExplicitAny: of whatever properties, as React's own.
export const lazily = <T extends ComponentType<any>>(load: () => Promise<{ default: T }>) =>
  lazy(() => persist(load))

/** Around components that nobody sees at first, made by `lazily`: once the page is shown they come too, and are there offline. */
export function LazyContent({ children }: { children: ReactNode }) {
  useEffect(() => void firstIdle().then(() => isIdle.set(true)), [])
  return isIdle.use() && <Suspense>{children}</Suspense>
}
