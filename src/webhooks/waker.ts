/**
 * Milliseconds between two claims. Notifications that arrive in between share the next claim, which then takes more deliveries.
 */
const pollIntervalMs = 4

/** The longest pause after a claim. Up to this, the pause is as long as the claim took, so that claims use at most half of the time. */
const maxRestMs = 50

const pauseAfterErrorMs = 500

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

export interface Waker {
  wake(): void
  stop(): Promise<void>
}

/** Runs `act` when it is woken, never twice at the same time, and again as long as it finds something. */
export function createWaker(act: () => Promise<boolean>, onError: (error: unknown) => void): Waker {
  let isWoken = false
  let isStopped = false
  let running: Promise<void> | null = null

  async function turn(): Promise<void> {
    isWoken = false
    try {
      if (await act()) isWoken = true
    } catch (error) {
      onError(error)
      await pause(pauseAfterErrorMs)
    }
  }

  async function run(): Promise<void> {
    while (isWoken && !isStopped) {
      const startedAt = performance.now()
      await turn()
      const took = performance.now() - startedAt
      const rest = Math.min(Math.max(pollIntervalMs - took, took), maxRestMs)
      if (isWoken && rest > 0.5) await pause(rest)
    }
    running = null
  }

  function wake(): void {
    isWoken = true
    if (!isStopped) running ??= Promise.resolve().then(run)
  }

  return {
    wake,
    async stop() {
      isStopped = true
      await running
    },
  }
}
