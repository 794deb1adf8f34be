import type { TSchema } from 'typebox'
import { anyEvent } from '../events/api.ts'
import { catalogue, eventName } from '../events/catalogue.ts'
import { dataSchemaOf, describeEvents } from '../events/describe.ts'
import * as shapes from '../events/shapes.ts'

/** `ticket.created` becomes `TicketCreated`. */
export const capitalized = (event: string): string =>
  event.replaceAll(/(?:^|[._])(\w)/g, (_, letter) => letter.toUpperCase())

const linksOf = (event: string): TSchema =>
  describeEvents().find(({ name }) => name === event)!.schema.properties._links!

/** The names of the schemas that events consist of. */
export const eventNames: Record<string, TSchema> = {
  EventType: eventName,
  Event: anyEvent,
  EventMedia: shapes.eventMedia,
  EventTicketLinks: linksOf('ticket.created'),
  EventContactLinks: linksOf('contact.created'),
  NoLinks: linksOf('operator.status.changed'),
  ContactEventData: catalogue['contact.created'],
  RenewalTrigger: catalogue['billing.plan_renewed'].properties.trigger,
  ExpiryReason: catalogue['billing.subscription_expired'].properties.reason,
  VisitorSurface: catalogue['visitor.reply_waiting'].properties.surface,
  ...Object.fromEntries(
    describeEvents().flatMap(({ name, schema }) => [
      [`${capitalized(name)}Event`, schema],
      [`${capitalized(name)}Data`, dataSchemaOf(name)],
    ]),
  ),
}
