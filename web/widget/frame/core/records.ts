import type { components, paths } from '../../api.d.ts'

/** The records as the server sends them. */
type Shape<Name extends keyof components['schemas']> = components['schemas'][Name]

export type Config = Shape<'WidgetConfig'>
export type Session = Shape<'VisitorSession'>
export type Identified = Shape<'IdentifiedVisitor'>
export type Visitor = Session['visitor']
export type Ticket = Shape<'VisitorTicket'>
export type TicketList = { items: Ticket[]; unread_count: number }
export type Message = Shape<'VisitorMessage'>
export type MessageList = { items: Message[]; has_more: boolean }
export type Media = Shape<'MessageMedia'>

type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never
export type ArticleList = Answer<'/projects/{project_id}/articles'>
export type Article = Answer<'/projects/{project_id}/articles/{article_id}'>
