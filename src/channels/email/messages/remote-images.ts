import type { Readable } from 'node:stream'
import type { Call } from '../../../core/endpoint.ts'
import { BriefError } from '../../../core/errors.ts'
import type { MayReach } from '../../../core/http/guarded-agent.ts'
import { listRemoteImages } from '../../../mail/remote-images.ts'
import { getMessage } from '../../../messages/messages.ts'
import { findMailDetails } from '../incoming/mail-queries.ts'
import { fetchImage } from './fetch-image.ts'

/** Loads the remote images of an email, so that their servers do not learn who reads it, where and when. */

const headers = {
  'cache-control': 'private, max-age=86400, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

/** The remote images of a message: those of its text, then those of its quote. */
async function listUrls({ db, project }: Call, id: string): Promise<string[]> {
  const { content_html } = await getMessage(db, project.id, id)
  const details = await findMailDetails(db, project.id, id)
  return [content_html, details?.quoted_html ?? ''].flatMap(listRemoteImages)
}

export async function sendRemoteImage(call: Call, mayReach: MayReach): Promise<Readable> {
  const { message_id, image_index } = call.params
  const urls = await listUrls(call, message_id!)
  const url = /^\d{1,4}$/.test(image_index!) ? urls[Number(image_index)] : undefined
  if (url === undefined) throw new BriefError('file_not_found')
  const image = await fetchImage(url, mayReach).catch(error => {
    call.request.log.info({ err: error }, 'A remote image cannot be loaded')
    throw new BriefError('file_not_found')
  })
  call.reply.headers({ ...headers, 'content-type': image.type })
  return image.content
}
