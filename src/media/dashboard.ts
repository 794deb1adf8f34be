import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { projectSettings } from '../projects/schema.ts'
import { pictureEndpoint } from './article-picture.ts'
import { bucketInput, bucketList, chooseBucket, leaveBucket } from './bucket-settings.ts'
import { listBuckets } from './buckets.ts'
import { removeLogo, setLogo } from './project-logo.ts'
import { uploadParts } from './schema.ts'
import { receiveUpload, type UploadDeps } from './upload.ts'

export type FilesDeps = UploadDeps & { vault: Vault; config: Config }

const logo = (uploading: UploadDeps): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/settings/logo',
    tag: 'Project',
    summary: "Upload the project's logo",
    description: 'PNG, JPEG, WebP, GIF or AVIF, up to 1 MiB.',
    minRole: 'admin',
    parts: uploadParts,
    responses: { 200: projectSettings },
    errors: ['MEDIA_TOO_LARGE', 'MEDIA_UPLOAD_FAILED', 'VALIDATION_ERROR'],
    receive: call => receiveUpload(uploading, call),
    run: call => setLogo(call.db, call, call.body),
  }),
  endpoint({
    method: 'DELETE',
    path: '/settings/logo',
    tag: 'Project',
    summary: "Remove the project's logo",
    minRole: 'admin',
    responses: { 200: projectSettings },
    errors: [],
    run: call => removeLogo(call.db, call),
  }),
]

const bucket = (deps: FilesDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/bucket',
    tag: 'Files',
    summary: "List the project's own buckets",
    description:
      "New files go to the active one. Without an active bucket, they go to the installation's storage.",
    minRole: 'admin',
    responses: { 200: bucketList },
    errors: [],
    run: async ({ db, project }) => ({ items: await listBuckets(db, project.id) }),
  }),
  endpoint({
    method: 'POST',
    path: '/bucket',
    tag: 'Files',
    summary: 'Test a bucket, then use it for new files',
    minRole: 'admin',
    body: bucketInput,
    responses: { 200: bucketList },
    errors: ['NOT_POSSIBLE', 'VALIDATION_ERROR'],
    async run(call) {
      await chooseBucket({ ...deps, db: call.db }, call, call.body)
      return { items: await listBuckets(call.db, call.project.id) }
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/bucket',
    tag: 'Files',
    summary: "Use the installation's storage for new files again",
    minRole: 'admin',
    responses: { 200: bucketList },
    errors: [],
    async run(call) {
      await leaveBucket(call.db, call)
      return { items: await listBuckets(call.db, call.project.id) }
    },
  }),
]

export const mediaDashboard = (deps: FilesDeps): Endpoint[] => [
  ...logo(deps),
  ...bucket(deps),
  pictureEndpoint(deps),
]
