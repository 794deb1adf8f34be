import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { firstIdle } from './idle.ts'
import { createStore } from './store.ts'

const isIdle = createStore(false)

/** Whether the first page is shown and idle. */
export function useIdle(): boolean {
  useEffect(() => void firstIdle().then(() => isIdle.set(true)), [])
  return isIdle.use()
}

const maxRetryDelayMs = 30_000

/** Retries a failed import, so that a lost network does not break the page. */
export async function persist<T>(load: () => Promise<T>, pause = 1_000): Promise<T> {
  try {
    return await load()
  } catch {
    await new Promise(resolve => setTimeout(resolve, pause))
    return persist(load, Math.min(pause * 2, maxRetryDelayMs))
  }
}

/** A component that is loaded when it is rendered, or by `LazyContent`. */
// biome-ignore lint/suspicious/noExplicitAny: any props, like React's own type.
export const lazily = <T extends ComponentType<any>>(load: () => Promise<{ default: T }>) =>
  lazy(() => persist(load))

/**
 * Wraps `lazily` components that are not visible at first. They are loaded once the page is idle, so that
 * they also work offline.
 */
export function LazyContent({ children }: { children: ReactNode }) {
  return useIdle() && <Suspense>{children}</Suspense>
}
