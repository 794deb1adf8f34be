import { clearResponses, type ResponsePlace } from '../keys/keys.ts'
import { findPersonValues } from './contact-queries.ts'
import {
  deleteFinishedExports,
  findLastDelivery,
  findLastRequest,
  findLastSeq,
  listRequestsAbout,
  updateAuditEntries,
  updateDeliveries,
  updateEventData,
  updateQueuedDeliveries,
  updateRequestPath,
} from './log-queries.ts'
import type { Step } from './lot.ts'
import { insertDeletedRecords, listContactIds, listDeletedAmong } from './queries.ts'

/** Removes the contents of deleted records from the logs, page by page, and deletes archives that contain them. */

const minId = '00000000-0000-0000-0000-000000000000'
const pageSize = 5_000

export const clearSomeEvents: Step = async ({ tx, deletion: { id, place } }) => {
  const after = place || '0'
  const last = await findLastSeq(tx, tx.projectId, after, pageSize)
  if (last === null) return null
  const events = await updateEventData(tx, tx.projectId, id, [after, last])
  await insertDeletedRecords(tx, tx.projectId, id, events)
  return last
}

export const clearSomeDeliveries: Step = async ({ tx, deletion: { id, place } }) => {
  const [webhook = minId, delivery = minId] = place ? place.split(' ') : []
  if (place === '') await updateQueuedDeliveries(tx, tx.projectId, id)
  const last = await findLastDelivery(tx, tx.projectId, [webhook, delivery], pageSize)
  if (last === null) return null
  await updateDeliveries(tx, tx.projectId, id, [[webhook, delivery], last])
  return last.join(' ')
}

/** The stored responses of requests with an Idempotency-Key. */
export const clearSomeResponses: Step = async ({ tx, vault, deletion: { id, place } }) => {
  const from: ResponsePlace | null = place ? JSON.parse(place) : null
  const next = await clearResponses(tx, tx.projectId, vault, {
    from,
    isAbout: async ids => (await listDeletedAmong(tx, tx.projectId, id, ids)).values(),
  })
  return next && JSON.stringify(next)
}

/** Shorter values would match too many paths. */
const minValueLength = 4

const spellingsOf = (value: string): string[] => {
  const encoded = encodeURIComponent(value)
  return [...new Set([value, encoded, encoded.replaceAll('%20', '+')])].map(one => one.toLowerCase())
}

/** The path of a request without its parameters and without the segments that contain one of these texts. */
export const withoutTexts = (path: string, texts: string[]): string =>
  path
    .split('?')[0]!
    .split('/')
    .map(segment => (texts.some(text => segment.toLowerCase().includes(text)) ? '…' : segment))
    .join('/')

/** Requests may contain a person's address or name in their path. */
export const clearSomeRequests: Step = async ({ tx, deletion }) => {
  const { projectId } = tx
  if (deletion.kind === 'ticket') return null
  const after = deletion.place || minId
  const last = await findLastRequest(tx, projectId, after, pageSize)
  const contactIds = await listContactIds(tx, projectId, deletion.record_id)
  const { identifiers, names } = await findPersonValues(tx, projectId, contactIds)
  if (last === null) {
    await updateAuditEntries(
      tx,
      projectId,
      identifiers.map(value => value.toLowerCase()),
    )
    return null
  }
  const texts = [...identifiers, ...names]
    .filter(({ length }) => length >= minValueLength)
    .flatMap(spellingsOf)
  const patterns = texts.map(text => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
  for (const { id, path } of await listRequestsAbout(tx, projectId, [after, last], patterns))
    await updateRequestPath(tx, projectId, id, withoutTexts(path, texts))
  return last
}

export const deleteArchives: Step = async ({ tx }) => {
  await deleteFinishedExports(tx, tx.projectId)
  tx.noteDue('exports')
  return null
}
