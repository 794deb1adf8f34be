import type { Config } from '../../../core/config/config.ts'
import { bytes, type Endpoint, endpoint } from '../../../core/endpoint.ts'
import { addressRuleOf } from '../../../core/http/address.ts'
import { imageSenders } from '../incoming/email-schema.ts'
import { deleteImageSender, insertImageSender, listImageSenders } from './image-senders.ts'
import { sendRemoteImage } from './remote-images.ts'

/** Remote images of emails, for the dashboard. */

const tag = 'E-mail'

const path = '/image-senders/{address}'

export const imageEndpoints = ({ config }: { config: Config }): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/messages/{message_id}/remote-images/{image_index}',
    tag,
    summary: 'Load a remote image of an email through this server',
    description:
      'Only images whose URLs are in this email: PNG, JPEG, GIF, WebP and the like, up to 10 MB. 404 if the image cannot be loaded.',
    isWaiting: true,
    responses: { 200: bytes },
    errors: ['MESSAGE_NOT_FOUND', 'file_not_found'],
    run: call => sendRemoteImage(call, addressRuleOf(config).isAllowed),
  }),
  endpoint({
    method: 'GET',
    path: '/image-senders',
    tag,
    summary: 'List the senders whose remote images are always loaded',
    responses: { 200: imageSenders },
    errors: [],
    run: async ({ db, project }) => ({ items: await listImageSenders(db, project.id) }),
  }),
  endpoint({
    method: 'PUT',
    path,
    tag,
    summary: 'Always load the remote images of a sender',
    responses: { 204: null },
    errors: ['VALIDATION_ERROR'],
    run: ({ db, project, params }) => insertImageSender(db, project.id, params.address!),
  }),
  endpoint({
    method: 'DELETE',
    path,
    tag,
    summary: 'Ask again before loading the remote images of a sender',
    responses: { 204: null },
    errors: [],
    run: ({ db, project, params }) => deleteImageSender(db, project.id, params.address!),
  }),
]
