import { queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import type { Contact } from './queries.ts'
import { contactKeys } from './query-keys.ts'

export type KnownIdentity = Shape<'KnownIdentity'>
export type IdentityVisitor = Shape<'IdentityVisitor'>
export type MovePreview = Shape<'IdentityMovePreview'>

/** `email:ann@example.com` */
export const referenceOf = ({ type, value }: Pick<KnownIdentity, 'type' | 'value'>): string =>
  `${type}:${value}`

const ofContact = ({ workspace_id, id }: Contact) => ({ project_id: workspace_id, contact_id: id })

export const identitiesQuery = (contact: Contact) =>
  queryOptions({
    queryKey: contactKeys.identities(contact.workspace_id, contact.id),
    queryFn: ({ signal }) =>
      take(
        api.GET('/projects/{project_id}/contacts/{contact_id}/identities', {
          params: { path: ofContact(contact) },
          signal,
        }),
      ),
  })

export const addIdentity = (contact: Contact, body: Shape<'NewIdentity'>) =>
  take(
    api.POST('/projects/{project_id}/contacts/{contact_id}/identities', {
      params: { path: ofContact(contact) },
      body,
    }),
  )

const one = '/projects/{project_id}/contacts/{contact_id}/identities/{identity}'

const pathOf = (contact: Contact, identity: string) => ({ path: { ...ofContact(contact), identity } })

export const changeIdentity = (contact: Contact, identity: KnownIdentity, body: Shape<'IdentityChange'>) =>
  take(api.PATCH(one, { params: pathOf(contact, referenceOf(identity)), body }))

export const removeIdentity = (contact: Contact, reference: string) =>
  take(api.DELETE(one, { params: pathOf(contact, reference) }))

export const sendCode = (contact: Contact, identity: KnownIdentity) =>
  take(api.POST(`${one}/code`, { params: pathOf(contact, referenceOf(identity)) }))

export const verifyIdentity = (contact: Contact, identity: KnownIdentity, code: string) =>
  take(api.POST(`${one}/verify`, { params: pathOf(contact, referenceOf(identity)), body: { code } }))

export const previewMove = (contact: Contact, identity: KnownIdentity, into_contact_id: string) =>
  take(
    api.GET(`${one}/move/{into_contact_id}`, {
      params: { path: { ...ofContact(contact), identity: referenceOf(identity), into_contact_id } },
    }),
  )

export const moveIdentity = (
  contact: Contact,
  identity: KnownIdentity,
  into_contact_id: string,
  move_tickets: boolean,
) =>
  take(
    api.POST(`${one}/move`, {
      params: pathOf(contact, referenceOf(identity)),
      body: { into_contact_id, move_tickets },
    }),
  )
