import Type, { type Static } from 'typebox'
import {
  customFields,
  id,
  links,
  list,
  nullable,
  oneOf,
  paging,
  shownFields,
  text,
  time,
} from '../core/schema.ts'

const maybeText = nullable(Type.String())
const name = text(255, { format: 'name', examples: ['Northwind Traders'] })
const domain = text(255, { minLength: 1, examples: ['northwind.example'] })

/** What other records show of an organization. */
export const organizationBrief = Type.Object({ id, name: Type.String() }, { title: 'OrganizationBrief' })
export type OrganizationBrief = Static<typeof organizationBrief>

export const organization = Type.Object(
  {
    id,
    name: Type.String({ examples: ['Northwind Traders'] }),
    domains: Type.Array(Type.String({ examples: ['northwind.example'] }), {
      description:
        'A contact who gets an email address in exactly one of these domains joins the organization, unless someone has chosen another one. Subdomains do not count',
    }),
    external_id: maybeText,
    note: maybeText,
    custom_fields: shownFields,
    contacts_count: Type.Integer({ description: 'How many contacts are its members' }),
    version: Type.Integer(),
    created_at: time,
    updated_at: time,
    _links: links('self', 'contacts', 'tickets'),
  },
  { title: 'Organization' },
)
export type Organization = Static<typeof organization>

export const organizationList = list(organization)

const fields = {
  domains: Type.Optional(
    Type.Array(domain, {
      maxItems: 100,
      description: 'The whole list. Domains of public email providers such as gmail.com are refused',
    }),
  ),
  external_id: Type.Optional(nullable(text(255, { minLength: 1 }))),
  note: Type.Optional(nullable(text(65_536))),
  custom_fields: Type.Optional(customFields),
}

export const newOrganization = Type.Object({ name, ...fields })
export type NewOrganization = Static<typeof newOrganization>

export const organizationChange = Type.Object({ name: Type.Optional(name), ...fields })
export type OrganizationChange = Static<typeof organizationChange>

export const organizationQuery = Type.Object({
  ...paging,
  sort: Type.Optional(oneOf(['name', '-name', 'created_at', '-created_at'], { default: 'name' })),
  q: Type.Optional(text(255, { description: 'A part of the name, or the beginning of a domain' })),
  domain: Type.Optional(text(255)),
  external_id: Type.Optional(text(255)),
})
export type OrganizationQuery = Static<typeof organizationQuery>

/** What would happen if the domain were added to an organization. */
export const domainPreview = Type.Object(
  {
    domain: Type.String({ description: 'The domain as it would be stored' }),
    organization: nullable(organizationBrief),
    contacts_count: Type.Integer({ description: 'How many existing contacts would join' }),
  },
  { title: 'DomainPreview' },
)
export type DomainPreview = Static<typeof domainPreview>
