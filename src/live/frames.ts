import type { PrintSlice } from '../events/log-page.ts'

/** Server-sent events, as the browser's EventSource reads them. JSON has no line breaks of its own. */
export const printFrame = (event: string, data: object | string = {}, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

export const heartbeatFrame = printFrame('beat')

/** Milliseconds after which the browser opens a broken stream again. */
export const retryFrame = 'retry: 2000\n\n'

/** What is no longer kept, or too much to tell one by one: the page reads its lists again. */
export const liveGapFrame = printFrame('gap')

export const printLog: PrintSlice = ({ items, gap: isGap }) => {
  const frames = items.map(({ seq, type, data, created_at }) =>
    printFrame('log', `{"seq":${seq},"type":"${type}","data":${data},"created_at":"${created_at}"}`, seq),
  )
  return (isGap ? liveGapFrame : '') + frames.join('')
}
