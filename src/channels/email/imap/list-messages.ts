import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { ListedMessage } from './fetch-mail.ts'

/** Lists the emails of the open folder in small batches, because a folder may have 500,000. */

/** The maximum number of emails in a listing. */
export const maxListed = 500

export interface UidWindow {
  first: number
  /** Null for no upper limit. */
  last: number | null
}

export interface Listing {
  messages: ListedMessage[]
  /** Whether the window may contain more emails. */
  isCut: boolean
}

interface Filter {
  /** Emails that arrived before this time are skipped. */
  since: Date | null
  /** Also skips emails with old Received headers, because a rebuilt server may have reset the arrival time of all emails. */
  isRenumbered: boolean
}

const dayMs = 86_400_000

/** Dates up to this year are invalid: email did not exist yet. */
const minYear = 1980

const readDate = (text: Date | string | undefined): Date | null => {
  const date = new Date(text ?? '')
  return date.getFullYear() > minYear ? date : null
}

/** Bytes. Anyone can send long headers without a date, and searching them takes quadratic time. */
const maxSearched = 16 * 1024

/** The date in the newest Received header, otherwise the Date header. */
function findTravelDate({ headers, envelope }: FetchMessageObject): Date | null {
  const [, received] =
    /^received:[^;]*;\s*([^\r]+)/im.exec(headers?.toString('latin1', 0, maxSearched) ?? '') ?? []
  return readDate(received) ?? readDate(envelope?.date)
}

function isWanted(message: FetchMessageObject, { since, isRenumbered }: Filter): boolean {
  if (!since) return true
  const arrived = message.internalDate ? new Date(message.internalDate) : null
  if (arrived && arrived < since) return false
  const travelled = isRenumbered ? findTravelDate(message) : null
  return !travelled || travelled.getTime() > since.getTime() - dayMs
}

/** Keeps only the emails with the lowest UIDs. The server may return them in any order. */
function shorten(messages: ListedMessage[]): boolean {
  messages.sort((a, b) => a.uid - b.uid)
  if (messages.length <= maxListed) return false
  messages.length = maxListed
  return true
}

async function collect(
  client: ImapFlow,
  { first, last }: UidWindow,
  filter: Filter,
  fields: object,
): Promise<Listing> {
  const messages: ListedMessage[] = []
  let isCut = false
  // `n:*` includes the folder's last email even if its UID is lower than n.
  for await (const found of client.fetch(`${first}:${last ?? '*'}`, fields, { uid: true })) {
    const arrived = found.internalDate ? new Date(found.internalDate) : null
    if (found.uid < first || !isWanted(found, filter)) continue
    messages.push({ uid: found.uid, size: found.size ?? 0, receivedAt: arrived })
    if (messages.length > 2 * maxListed) isCut = shorten(messages) || isCut
  }
  return { isCut: shorten(messages) || isCut, messages }
}

/** If the server fails on one of the emails, requests only the UIDs. Each email is then fetched separately. */
export async function listFolderMessages(
  client: ImapFlow,
  window: UidWindow,
  filter: Filter,
): Promise<Listing> {
  const fields = {
    uid: true,
    size: true,
    internalDate: true,
    ...(filter.isRenumbered && { envelope: true, headers: ['received'] }),
  }
  try {
    return await collect(client, window, filter, fields)
  } catch (error) {
    if (!client.usable) throw error
    return collect(client, window, { since: null, isRenumbered: false }, { uid: true })
  }
}

/**
 * Finds a UID such that every email since a time has it or a higher one. Many servers compare only the dates, in their own time zone,
 * so the search begins a day earlier. Servers that support ESEARCH return a single number.
 */
export async function findFirstUid(client: ImapFlow, time: Date): Promise<number | null> {
  const since = new Date(time.getTime() - dayMs)
  const found = await client.search({ since }, { uid: true, returnOptions: ['MIN'] })
  if (!found) return null
  if (Array.isArray(found)) return found.length ? found.reduce((a, b) => Math.min(a, b)) : null
  return found.min ?? null
}
