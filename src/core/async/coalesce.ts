/**
 * Runs an action once at a time. All calls during a run are served by one more run after it. Errors reject the call that started
 * the run.
 */
export function coalesce(act: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  let isWanted = false
  return async () => {
    isWanted = true
    if (isRunning) return
    isRunning = true
    try {
      while (isWanted) {
        isWanted = false
        await act()
      }
    } finally {
      isRunning = false
    }
  }
}
