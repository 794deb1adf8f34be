import { bytes, type Endpoint, endpoint } from '../core/endpoint.ts'
import { type Storages, serve } from '../media/media.ts'
import { listExports, openExport, requestExport } from './project-exports.ts'
import { exported, exportList, newExport } from './schema.ts'

const tag = 'Exports'
const minRole = 'owner'

export const exportDashboard = ({ storages }: { storages: Storages }): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/exports',
    tag,
    summary: 'List the exports of the project, newest first',
    minRole,
    responses: { 200: exportList },
    errors: [],
    run: async call => ({ items: await listExports(call.db, call) }),
  }),
  endpoint({
    method: 'POST',
    path: '/exports',
    tag,
    summary: 'Request an export of the whole project',
    minRole,
    body: newExport,
    responses: { 202: exported },
    errors: ['NOT_POSSIBLE'],
    run: call => requestExport(call.db, call, call.body.has_files ?? false),
  }),
  endpoint({
    method: 'GET',
    path: '/exports/{export_id}/file',
    tag,
    summary: 'Download one of your exports',
    minRole,
    responses: { 200: bytes, 206: bytes, 302: null, 304: null },
    errors: ['EXPORT_NOT_FOUND', 'file_not_found', 'storage_unavailable'],
    async run(call) {
      const { storage_key: key, bucket_id, size } = await openExport(call.db, call, call.params.export_id!)
      const file = {
        key,
        size,
        etag: `"${key}"`,
        type: 'application/zip',
        disposition: 'attachment; filename="export.zip"',
      }
      return serve(call, storages, bucket_id, file, 'same-origin')
    },
  }),
]
