import type { IncomingMessage } from 'node:http'

/** A slow upload is accepted, but one that hardly progresses is not. */
const windowMs = 30_000
const minBytesPerInterval = 64 * 1024
const maxUploadMs = 15 * 60_000

/** Calls `late` once if the body is too slow. The returned function stops watching. */
export function watchUploadSpeed(request: IncomingMessage, late: () => void): () => void {
  let since = 0
  const count = (chunk: Buffer) => {
    since += chunk.length
  }
  const windows = setInterval(() => {
    if (since < minBytesPerInterval) end(late)
    since = 0
  }, windowMs)
  const whole = setTimeout(() => end(late), maxUploadMs)
  const end = (then?: () => void) => {
    clearInterval(windows)
    clearTimeout(whole)
    request.off('data', count)
    then?.()
  }
  request.on('data', count)
  return () => end()
}
