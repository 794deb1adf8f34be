import { queryClient } from './query.ts'

/** The longest wait for an idle page. */
const maxWaitMs = 3_000

const fallbackDelayMs = 50

const whenFree = (act: () => void): unknown =>
  'requestIdleCallback' in window
    ? window.requestIdleCallback(act, { timeout: maxWaitMs })
    : setTimeout(act, fallbackDelayMs)

function waitForIdle(): Promise<void> {
  const begun = performance.now()
  return new Promise(resolve => {
    const look = () => {
      const isBusy = document.readyState !== 'complete' || queryClient.isFetching() > 0
      if (!isBusy || performance.now() - begun > maxWaitMs) resolve()
      else setTimeout(whenFree, fallbackDelayMs, look)
    }
    whenFree(look)
  })
}

let idle: Promise<void> | undefined

/** Resolves when the first page is shown and idle. */
export const firstIdle = (): Promise<void> => (idle ??= waitForIdle())
