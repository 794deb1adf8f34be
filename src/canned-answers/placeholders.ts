/** The placeholders that the editor offers and `fill` replaces. */
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
