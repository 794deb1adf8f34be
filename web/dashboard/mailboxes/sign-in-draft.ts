import type { DetectedServer } from './queries.ts'
import type { SignInValues } from './sign-in-values.ts'

/** The values that were entered for a new mailbox, in case the sign-in fails. The tab keeps them, without the client secret. */

interface Draft<V extends SignInValues> {
  server: DetectedServer
  values: V
}

const placeOf = (projectId: string): string => `deskbell mailbox ${projectId}`

export function keepDraft<V extends SignInValues>(
  projectId: string,
  server: DetectedServer,
  values: V,
): void {
  const oauth = { ...values.imap.oauth, client_secret: '' }
  const draft: Draft<V> = { server, values: { ...values, imap: { ...values.imap, oauth } } }
  try {
    sessionStorage.setItem(placeOf(projectId), JSON.stringify(draft))
  } catch {
    // If the browser stores nothing, the values have to be entered again.
  }
}

export function readDraft<V extends SignInValues>(projectId: string): Draft<V> | null {
  try {
    return JSON.parse(sessionStorage.getItem(placeOf(projectId)) ?? 'null')
  } catch {
    return null
  }
}

/** The values that were entered for this address. */
export function takeDraft<V extends SignInValues>(projectId: string, address: string): V | null {
  const draft = readDraft<V>(projectId)
  return draft?.server.address === address ? draft.values : null
}
