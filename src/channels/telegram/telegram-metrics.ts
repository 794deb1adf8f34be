import { counter, histogram } from '../../core/telemetry/metrics.ts'

/** Metrics of processes that receive and handle updates of bots. */

const received = counter(
  'deskbell_telegram_updates_total',
  'Telegram bot updates that this process stored, recognised as duplicates, handled, retried or gave up on, by result',
  'result',
  ['stored', 'duplicate', 'handled', 'retried', 'failed'],
)

export const countReceived = (result: keyof typeof received, count = 1): void => {
  received[result] += count
}

const noteLag = histogram(
  'deskbell_telegram_handling_seconds',
  'Time from storing a Telegram bot update until it is handled',
  [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300],
)

/** `storedAt` in milliseconds since 1970. */
export const noteHandled = (storedAt: number): void => noteLag(Math.max((Date.now() - storedAt) / 1_000, 0))
