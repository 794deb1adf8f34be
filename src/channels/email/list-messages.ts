import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { ListedMessage } from './fetch-mail.ts'

/** Lists mails of the open folder in small parts: a folder may have 500,000. */

/** At most this many mails are listed at once. */
export const maxListed = 500

export interface UidWindow {
  first: number
  /** Null means up to the end. */
  last: number | null
}

export interface Listing {
  messages: ListedMessage[]
  /** Whether there may be more in the window. */
  isCut: boolean
}

interface Filter {
  /** Mails that arrived before this are left out. */
  since: Date | null
  /** Also leaves out mails that travelled long before, because a server that was set up anew may have given all mails a new time of arrival. */
  isRenumbered: boolean
}

const dayMs = 86_400_000

/** No mail is older than e-mail: an earlier date is a wrong one. */
const minYear = 1980

const readDate = (text: Date | string | undefined): Date | null => {
  const date = new Date(text ?? '')
  return date.getFullYear() > minYear ? date : null
}

/** When the last mail server received the mail, as its headers say, otherwise when it was written. */
function findTravelDate({ headers, envelope }: FetchMessageObject): Date | null {
  const [, received] =
    /^received:[^;]*(?:\r\n[ \t][^;\r]*)*;\s*([^\r]+)/im.exec(headers?.toString('latin1') ?? '') ?? []
  return readDate(received) ?? readDate(envelope?.date)
}

function isWanted(message: FetchMessageObject, { since, isRenumbered }: Filter): boolean {
  if (!since) return true
  const arrived = message.internalDate ? new Date(message.internalDate) : null
  if (arrived && arrived < since) return false
  const travelled = isRenumbered ? findTravelDate(message) : null
  return !travelled || travelled.getTime() > since.getTime() - dayMs
}

/** Of a long answer only the mails with the lowest numbers are kept, in whichever order they come. */
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
  // `n:*` also names the last mail of the folder when its number is lower than n.
  for await (const found of client.fetch(`${first}:${last ?? '*'}`, fields, { uid: true })) {
    const arrived = found.internalDate ? new Date(found.internalDate) : null
    if (found.uid < first || !isWanted(found, filter)) continue
    messages.push({ uid: found.uid, size: found.size ?? 0, receivedAt: arrived })
    if (messages.length > 2 * maxListed) isCut = shorten(messages) || isCut
  }
  return { isCut: shorten(messages) || isCut, messages }
}

/** If the server cannot say more of one of the mails, only their numbers are asked for, and each is then read by itself. */
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

/** The number of the first mail since a time. The server searches; its answer is one number where it can be. */
export async function findFirstUid(client: ImapFlow, since: Date): Promise<number | null> {
  const found = await client.search({ since }, { uid: true, returnOptions: ['MIN'] })
  if (!found) return null
  if (Array.isArray(found)) return found.length ? found.reduce((a, b) => Math.min(a, b)) : null
  return found.min ?? null
}
