import type { Vault } from '../core/crypto.ts'
import { type Call, type Endpoint, endpoint } from '../core/endpoint.ts'
import { settings } from '../projects/schema.ts'
import { removeLogo, setLogo } from './logo.ts'
import type { NewMedia } from './queries.ts'
import { uploadParts } from './schema.ts'
import { receiveUpload, type Uploading } from './upload.ts'

export type FilesDeps = Uploading & { vault: Vault }

const logo = (uploading: Uploading): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/settings/logo',
    tag: 'Project',
    summary: "Upload the project's logo",
    description: 'PNG, JPEG, WebP, GIF or AVIF of at most 1 MiB.',
    may: 'admin',
    parts: uploadParts,
    answers: { 200: settings },
    errors: ['MEDIA_TOO_LARGE', 'MEDIA_UPLOAD_FAILED', 'VALIDATION_ERROR'],
    receive: call => receiveUpload(uploading, call as Call<unknown, undefined>),
    run: call => setLogo(call.db, call, call.body as NewMedia),
  }),
  endpoint({
    method: 'DELETE',
    path: '/settings/logo',
    tag: 'Project',
    summary: "Remove the project's logo",
    may: 'admin',
    answers: { 200: settings },
    errors: [],
    run: call => removeLogo(call.db, call),
  }),
]

export const mediaDashboard = (deps: FilesDeps): Endpoint[] => [...logo(deps)]
