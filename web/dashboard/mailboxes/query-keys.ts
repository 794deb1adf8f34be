import { makeKey } from '../core/query-key.ts'

interface Place {
  project_id: string
  mailbox_id: string
}

export const mailboxKeys = {
  all: (projectId: string) => makeKey('mailboxes', projectId),
  mailbox: ({ project_id, mailbox_id }: Place) => makeKey('mailboxes', project_id, mailbox_id),
  detected: (projectId: string, address: string) => makeKey('detected server', projectId, address),
  automaticTexts: (projectId: string) => makeKey('automatic texts', projectId),
  probe: ({ project_id, mailbox_id }: Place) => makeKey('mailbox test', project_id, mailbox_id),
  signingKeys: ({ project_id, mailbox_id }: Place) => makeKey('signing keys', project_id, mailbox_id),
  arrived: ({ project_id, mailbox_id }: Place) => makeKey('arrived mail', project_id, mailbox_id),
  redirectUri: (projectId: string) => makeKey('redirect uri', projectId),
  outages: (projectId: string) => makeKey('mailbox outages', projectId),
}
