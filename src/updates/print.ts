import { printEnvelope } from '../events/envelope.ts'
import type { LogSlice, PrintSlice } from '../events/log-page.ts'

/** The response of `GET /updates`. */
export const printUpdates: PrintSlice = ({ items, last_seq, oldest_seq, has_more, gap }, { projectId }) => {
  const state = JSON.stringify({ last_seq, oldest_seq, has_more, gap })
  return `{"items":[${items.map(item => printUpdate(projectId, item)).join()}],${state.slice(1)}`
}

/** The bytes of the webhook's body, with the event's number added in front. */
const printUpdate = (projectId: string, item: LogSlice['items'][number]): string =>
  `{"seq":${item.seq},${printEnvelope(projectId, item).slice(1)}`
