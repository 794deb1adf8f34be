import { queryClient } from './query.ts'

/** After which it comes in any case. */
const longest = 3_000

const pause = 50

const whenFree = (act: () => void): unknown =>
  'requestIdleCallback' in window
    ? window.requestIdleCallback(act, { timeout: longest })
    : setTimeout(act, pause)

function waitForIdle(): Promise<void> {
  const begun = performance.now()
  return new Promise(resolve => {
    const look = () => {
      const isBusy = document.readyState !== 'complete' || queryClient.isFetching() > 0
      if (!isBusy || performance.now() - begun > longest) resolve()
      else setTimeout(whenFree, pause, look)
    }
    whenFree(look)
  })
}

let idle: Promise<void> | undefined

/** Resolves when the first page is shown and has nothing to do. */
export const firstIdle = (): Promise<void> => (idle ??= waitForIdle())
