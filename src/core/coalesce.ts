/** A deed that runs once at a time: all who ask while it runs are served by one more run. Rejects for who began it. */
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
