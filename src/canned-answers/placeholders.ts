/** `{{contact.first_name|there}}`: what is known, or else what stands behind the line. */
export const placeholder = /\{\{\s*([a-z_]+\.[a-z_]+)\s*(?:\|([^{}]*))?\}\}/g

/** The editor offers them and `fill` fills them: one list for both. */
export const placeholderNames = [
  'contact.full_name',
  'contact.first_name',
  'contact.email',
  'contact.phone',
  'operator.name',
  'operator.first_name',
  'ticket.short_id',
  'ticket.subject',
  'department.name',
  'project.name',
] as const
export type PlaceholderName = (typeof placeholderNames)[number]

export const isPlaceholder = (name: string): name is PlaceholderName =>
  placeholderNames.some(known => known === name)
