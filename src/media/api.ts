import { bytes, type Call, type Endpoint, endpoint, webp } from '../core/endpoint.ts'
import { BriefError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { checkLink } from './links.ts'
import { findMedia, findShownMedia, findStoredMedia, type ShownRow, type StoredRow } from './queries.ts'
import { type LinkQuery, linkQuery, media, mediaQuery, uploadParts } from './schema.ts'
import { original, serve, thumb } from './serve.ts'
import { keepUpload, receiveUpload, type UploadDeps } from './upload.ts'

const tag = 'Files'

const downloadErrors: Endpoint['errors'] = ['file_not_found', 'range_unsatisfiable', 'storage_unavailable']
const downloadAnswers = { 200: bytes, 206: bytes, 302: null, 304: null }

async function getStored({
  db,
  project,
  params,
}: Pick<Call, 'db' | 'project' | 'params'>): Promise<StoredRow> {
  const file = isId(params.media_id!) ? await findStoredMedia(db, project.id, params.media_id!) : null
  if (!file) throw new BriefError('file_not_found')
  return file
}

const uploadEndpoint = (uploading: UploadDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/media/upload',
    tag,
    summary: 'Upload a file',
    description:
      'Uploads one file. Its type is detected from its bytes. List its id in `media_ids` of a message within 24 hours, or it is ' +
      'deleted. An upload may take 15 minutes, as long as at least 64 KiB arrive every 30 seconds.',
    parts: uploadParts,
    responses: { 201: media },
    errors: ['MEDIA_TOO_LARGE', 'MEDIA_UPLOAD_FAILED', 'request_timeout'],
    isIdempotent: true,
    receive: call => receiveUpload(uploading, call),
    run: ({ db, project, body }) => keepUpload(db, project.id, body),
  })

const downloadEndpoint = ({ storages }: UploadDeps): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/media/{media_id}',
    tag,
    summary: 'Download a file',
    description:
      'Returns the whole file, or a part of it with `Range`; `HEAD` works too. `Content-Type` is the type of the file, such as `image/png`; types that a browser could run are sent as `application/octet-stream`. ' +
      'If the file is in a bucket of the project, the response is a 302 to a URL that works for five minutes, with `GET` only.',
    query: mediaQuery,
    responses: downloadAnswers,
    errors: downloadErrors,
    async run(call) {
      const file = await getStored(call)
      const isForPeople = call.actor.type === 'operator'
      const served = { ...original(file, call.query.inline ?? false), isForPeople }
      return serve(call, storages, file.bucket_id, served, 'same-origin')
    },
  })

const thumbEndpoint = ({ storages }: UploadDeps): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/media/{media_id}/thumb',
    tag,
    summary: 'Download the thumbnail of an image',
    description:
      'A WebP image of at most 320 × 320 pixels. 404 for files without a thumbnail: see `thumb_url`.',
    responses: { 200: webp, 302: null, 304: null },
    errors: ['file_not_found', 'storage_unavailable'],
    async run(call) {
      const file = await getStored(call)
      return serve(call, storages, file.bucket_id, thumb(file), 'same-origin')
    },
  })

const infoEndpoint = endpoint({
  method: 'GET',
  path: '/media/{media_id}/info',
  tag,
  summary: 'Read the details of a file',
  description:
    'The type, size and name of the file, and the message it is attached to. `expires_at` is null once it is attached.',
  responses: { 200: media },
  errors: ['file_not_found'],
  async run({ db, project, params }) {
    const file = isId(params.media_id!) ? await findMedia(db, project.id, params.media_id!) : null
    if (!file) throw new BriefError('file_not_found')
    return file
  },
})

export const mediaEndpoints = (uploading: UploadDeps): Endpoint[] => [
  uploadEndpoint(uploading),
  downloadEndpoint(uploading),
  infoEndpoint,
  thumbEndpoint(uploading),
]

/** Finds a file by a URL from an event. There is no key, so only public files, or those for which the URL is signed. */
async function getLinked({ db, params, query }: Call<LinkQuery>): Promise<ShownRow> {
  const id = params.media_id!
  const isSigned = isId(id) ? checkLink(id, query) : false
  const file = isSigned === false ? null : await findShownMedia(db, id, isSigned ?? false)
  if (!file) throw new BriefError('file_not_found')
  return file
}

const linked = (path: string, run: (call: Call<LinkQuery>, file: ShownRow) => Promise<unknown>): Endpoint =>
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'Download a file of a conversation',
    query: linkQuery,
    responses: { 200: bytes, 206: bytes, 302: null, 304: null },
    errors: downloadErrors,
    isPublic: true,
    async run(call) {
      return run(call, await getLinked(call))
    },
  })

/** Serves the URLs in events, below /api/media. Pages of any site may display these files. */
export const linkEndpoints = ({ storages }: UploadDeps): Endpoint[] => [
  linked('/{media_id}', (call, file) => {
    const served = { ...original(file, call.query.inline ?? false), isKept: file.is_of_page }
    return serve(call, storages, file.bucket_id, served, 'cross-origin')
  }),
  linked('/{media_id}/thumb', (call, file) =>
    serve(call, storages, file.bucket_id, { ...thumb(file), isKept: file.is_of_page }, 'cross-origin'),
  ),
]
