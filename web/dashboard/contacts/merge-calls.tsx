import { queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure, showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { showToast } from '../core/toasts.ts'
import { contactNameOf } from '../tickets/names.ts'
import { refreshContacts, tryChange } from './change.ts'
import type { Contact } from './queries.ts'
import { contactKeys } from './query-keys.ts'

const { merge: words, identities } = pageText.contactProfile

export type MergePreview = Shape<'MergePreview'>
export type Winners = Shape<'MergeWinners'>
type KeptPart = Shape<'KeptPart'>

const ofContact = ({ workspace_id, id }: Pick<Contact, 'workspace_id' | 'id'>) => ({
  project_id: workspace_id,
  contact_id: id,
})

/** The merges into this contact that can still be undone. */
export const mergesQuery = (contact: Contact) =>
  queryOptions({
    queryKey: contactKeys.merges(contact.workspace_id, contact.id),
    queryFn: async ({ signal }) =>
      (
        await take(
          api.GET('/projects/{project_id}/contacts/{contact_id}/merges', {
            params: { path: ofContact(contact) },
            signal,
          }),
        )
      ).items,
  })

export const previewMerge = (contact: Contact, into_contact_id: string) =>
  take(
    api.GET('/projects/{project_id}/contacts/{contact_id}/merge/{into_contact_id}', {
      params: { path: { ...ofContact(contact), into_contact_id } },
    }),
  )

/** The label of a field. */
export function fieldName(field: string): string {
  const names: Record<string, string> = words.fields
  return names[field] ?? field.replace('custom_fields.', '')
}

const nameOfKept = ({ kind, name }: KeptPart): string =>
  kind === 'ticket'
    ? words.ticket(name)
    : kind === 'field'
      ? fieldName(name)
      : name.slice(name.indexOf(':') + 1)

/** Undoes the merge, lists what stays as it is, and opens the contact that was merged. */
export async function undoMerge(projectId: string, id: string, open: (id: string) => unknown): Promise<void> {
  const path = { project_id: projectId, contact_id: id }
  try {
    const { kept } = await take(
      api.POST('/projects/{project_id}/contacts/{contact_id}/unmerge', { params: { path } }),
    )
    showNotice(
      kept.length ? `${words.undone}. ${words.kept} ${kept.map(nameOfKept).join(', ')}` : words.undone,
    )
    open(id)
  } catch (failure) {
    showFailure(asFailure(failure))
  } finally {
    refreshContacts(projectId)
  }
}

/** Merges, opens the contact that remains, and offers to undo it. */
export async function mergeContact(
  { workspace_id, id }: Contact,
  { into }: MergePreview,
  winners: Winners,
  open: (id: string) => unknown,
): Promise<void> {
  const params = { path: { project_id: workspace_id, contact_id: id } }
  const isMerged = await tryChange(workspace_id, () =>
    take(
      api.POST('/projects/{project_id}/contacts/{contact_id}/merge', {
        params,
        body: { into_contact_id: into.id, winners },
      }),
    ),
  )
  if (!isMerged) return
  open(into.id)
  showToast({
    id: `merged contact ${id}`,
    message: words.done(contactNameOf(into)),
    seconds: 20,
    undo: () => undoMerge(workspace_id, id, open),
  })
}

/** The name of an identity's type, and its value. */
export const printIdentity = ({ type, value }: { type: string; value: string }): string => {
  const types: Record<string, string> = identities.types
  return type === 'channel' ? value.slice(value.indexOf(':') + 1) : `${types[type] ?? type}: ${value}`
}
