import type { PrintSlice } from '../events/log-page.ts'

/** Formats a server-sent event. The data is JSON without line breaks. */
export const printFrame = (event: string, data: object | string = {}, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** A program changed one of the operator's drafts. */
export const draftFrame = printFrame('draft')

export const heartbeatFrame = printFrame('beat')

/** Tells the browser after how many milliseconds to reconnect. */
export const retryFrame = 'retry: 2000\n\n'

/** Events are no longer stored, or too many to send. The page reads its lists again. */
export const liveGapFrame = printFrame('gap')

export const printLog: PrintSlice = ({ items, gap: isGap }) => {
  const frames = items.map(({ seq, type, data, created_at }) =>
    printFrame('log', `{"seq":${seq},"type":"${type}","data":${data},"created_at":"${created_at}"}`, seq),
  )
  return (isGap ? liveGapFrame : '') + frames.join('')
}
