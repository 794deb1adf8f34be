import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { visitorArticleEndpoints } from './articles.ts'
import { showConfig } from './config.ts'
import type { ChatDeps } from './deps.ts'
import { visitorFileEndpoints } from './file-api.ts'
import { requestingVisitor, visitorOf } from './gate.ts'
import { identify } from './identify.ts'
import { visitorLiveEndpoints } from './live-api.ts'
import { visitorMessageEndpoints } from './message-api.ts'
import { openTicketLink } from './open-link.ts'
import {
  configQuery,
  identified,
  identifying,
  newSession,
  newVisitor,
  opening,
  visitor,
  widgetConfig,
} from './schema.ts'
import { telegramLinkEndpoint } from './telegram-link.ts'
import { visitorTicketEndpoints } from './ticket-api.ts'
import { createVisitor, endVisitorSession, showVisitor } from './visitors.ts'

const tag = 'Visitor'

const identityErrors: Endpoint['errors'] = [
  'SIGNATURE_REQUIRED',
  'SIGNATURE_INVALID',
  'VALIDATION_ERROR',
  'RATE_LIMIT_EXCEEDED',
]

const sessionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/config',
    tag,
    summary: 'Read the appearance and texts of the widget',
    query: configQuery,
    responses: { 200: widgetConfig, 304: null },
    errors: [],
    isPublic: true,
    run: call => showConfig(call.db, call, call.query.locale),
  }),
  endpoint({
    method: 'GET',
    path: '/session',
    tag,
    summary: 'Read the current visitor',
    responses: { 200: visitor },
    errors: [],
    run: call => showVisitor(requestingVisitor(call)),
  }),
  endpoint({
    method: 'DELETE',
    path: '/session',
    tag,
    summary: 'Delete the token of the visitor',
    responses: { 204: null },
    errors: [],
    run: call => endVisitorSession(call.db, call.project.id, requestingVisitor(call)),
  }),
]

const beginning = (deps: ChatDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/visitors',
    tag,
    summary: 'Create an anonymous visitor',
    description: 'The token gives access to what this visitor writes, and nothing else.',
    body: newVisitor,
    responses: { 201: newSession },
    errors: ['RATE_LIMIT_EXCEEDED'],
    isPublic: true,
    run: call => createVisitor(deps, call, call.body),
  })

const identification = (deps: ChatDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/identify',
    tag,
    summary: 'Identify the visitor',
    description:
      "An anonymous visitor's conversations move to the identified contact. If the token belongs to somebody else, a new visitor is created.",
    body: identifying,
    responses: { 200: identified },
    errors: identityErrors,
    isPublic: true,
    run: call => identify(deps, call, visitorOf(call.request), call.body),
  })

const linked = (deps: ChatDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/open',
    tag,
    summary: 'Open one ticket with the key of an open_url',
    description: 'The token gives access to this ticket only, as long as the key is valid.',
    body: opening,
    responses: { 201: newSession },
    errors: ['LINK_NOT_FOUND', 'LINK_EXPIRED', 'RATE_LIMIT_EXCEEDED'],
    isPublic: true,
    run: call => openTicketLink(deps, call, call.body.key),
  })

/** Every operation of the widget, below /api/widget/projects/{project_id}. */
export const widgetEndpoints = (deps: ChatDeps): Endpoint[] => [
  ...sessionEndpoints,
  beginning(deps),
  identification(deps),
  linked(deps),
  ...visitorTicketEndpoints(deps),
  telegramLinkEndpoint(deps),
  ...visitorMessageEndpoints,
  ...visitorFileEndpoints(deps),
  ...visitorLiveEndpoints(deps),
  ...visitorArticleEndpoints(deps),
]
