import type { Vault } from '../../core/crypto.ts'
import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { getChatStart } from './chat-start.ts'
import { chatStart } from './chat-start-schema.ts'
import { findMergeReaders } from './merge-readers.ts'
import { mergeReaders } from './merge-schema.ts'
import { changeWidget, getWidget, replaceWidgetSecret } from './settings.ts'
import { widgetChange, widgetSecret, widgetSettings } from './settings-schema.ts'
import { findUnreadEmail } from './unread-replies.ts'
import { unreadEmail } from './unread-schema.ts'

const tag = 'Widget'

export interface WidgetSettingsDeps {
  vault: Vault
  publicUrl: string
}

const askReaders = endpoint({
  method: 'GET',
  path: '/tickets/{ticket_id}/merge-readers/{into_ticket_id}',
  tag,
  summary: 'Check what chat visitors can read after a merge',
  responses: { 200: mergeReaders },
  errors: ['TICKET_NOT_FOUND'],
  run: ({ db, project, params }) =>
    findMergeReaders(db, project.id, params.ticket_id!, params.into_ticket_id!),
})

const askUnreadEmail = endpoint({
  method: 'GET',
  path: '/tickets/{ticket_id}/unread-email',
  tag,
  summary: 'Check whether a reply in the chat is sent by email',
  responses: { 200: unreadEmail },
  errors: ['TICKET_NOT_FOUND'],
  run: ({ db, project, params }) => findUnreadEmail(db, project.id, params.ticket_id!),
})

const askChatStart = endpoint({
  method: 'GET',
  path: '/tickets/{ticket_id}/chat-start',
  tag,
  summary: 'Read what the visitor saw before the first message',
  responses: { 200: chatStart },
  errors: ['TICKET_NOT_FOUND'],
  run: ({ db, project, params }) => getChatStart(db, project.id, params.ticket_id!),
})

export const widgetDashboard = (deps: WidgetSettingsDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/widget',
    tag,
    summary: 'Read the settings of the widget',
    minRole: 'admin',
    responses: { 200: widgetSettings },
    errors: [],
    run: call => getWidget(deps, call.db, call.project.id),
  }),
  askReaders,
  askUnreadEmail,
  askChatStart,
  endpoint({
    method: 'PATCH',
    path: '/widget',
    tag,
    summary: 'Change the settings of the widget',
    minRole: 'admin',
    body: widgetChange,
    responses: { 200: widgetSettings },
    errors: ['SETTINGS_CHANGED', 'VALIDATION_ERROR'],
    isConditional: true,
    run: call => changeWidget(deps, call.db, call, call.body, call.version),
  }),
  endpoint({
    method: 'POST',
    path: '/widget/secret',
    tag,
    summary: 'Create the secret for signing identities',
    description:
      'The secret is shown only in this response. Signatures made with an earlier secret are no longer valid.',
    minRole: 'admin',
    responses: { 200: widgetSecret },
    errors: [],
    run: call => replaceWidgetSecret(deps, call.db, call),
  }),
]
