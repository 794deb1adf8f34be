import { printEnvelope } from '../events/envelope.ts'
import type { Part, Print } from '../events/page.ts'

/** The answer of `GET /updates`. */
export const printUpdates: Print = ({ items, last_seq, oldest_seq, has_more, gap }, { projectId }) => {
  const state = JSON.stringify({ last_seq, oldest_seq, has_more, gap })
  return `{"items":[${items.map(item => printUpdate(projectId, item)).join()}],${state.slice(1)}`
}

/** The bytes of the webhook with the number in front. */
const printUpdate = (projectId: string, item: Part['items'][number]): string =>
  `{"seq":${item.seq},${printEnvelope(projectId, item).slice(1)}`
