import Type, { type Static } from 'typebox'
import { hasFeature } from '../billing/billing.ts'
import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { id } from '../core/schema.ts'
import type { NewMedia } from './queries.ts'
import { uploadParts } from './schema.ts'
import type { SizeLimit } from './store-file.ts'
import { keepUpload, receiveUpload, type UploadDeps } from './upload.ts'

/** Pictures for articles. `knowledge` records which articles contain them; until then they expire like other uploads. */

const maxPictureBytes = 10 * 1024 * 1024

const limit: SizeLimit = {
  bytes: maxPictureBytes,
  refuse: () => new ApiError('MEDIA_TOO_LARGE', { max_bytes: maxPictureBytes }),
}

const articlePicture = Type.Object({
  id,
  url: Type.String({ description: 'The address for the Markdown of an article' }),
  filename: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
})

/** Broken pictures and types that browsers do not display have no size. */
function readSize({ content_type, width, height }: NewMedia): { width: number; height: number } {
  if (width === null || height === null) throw refuse('file', 'not_a_picture', { content_type })
  return { width, height }
}

export const pictureEndpoint = (uploading: UploadDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/knowledge/pictures',
    tag: 'Knowledge base',
    summary: 'Upload a picture for an article',
    description:
      'PNG, JPEG, WebP, GIF or AVIF, up to 10 MiB. Use its `url` in the Markdown of an article within 24 hours, or it is deleted. ' +
      'Everybody may see it while a published article contains it. It is deleted a day after the last article that contains it.',
    minRole: 'admin',
    parts: uploadParts,
    responses: { 201: articlePicture },
    errors: ['MEDIA_TOO_LARGE', 'MEDIA_UPLOAD_FAILED', 'PLAN_FEATURE_UNAVAILABLE', 'VALIDATION_ERROR'],
    receive: call => receiveUpload(uploading, call, limit),
    async run({ db, project, body }): Promise<Static<typeof articlePicture>> {
      const feature = 'knowledge_base'
      if (!(await hasFeature(db, project.id, feature)))
        throw new ApiError('PLAN_FEATURE_UNAVAILABLE', { feature })
      const size = readSize(body)
      const { id, filename } = await keepUpload(db, project.id, { ...body, is_article_picture: true })
      return { id, filename, url: `/api/media/${id}`, ...size }
    },
  })
