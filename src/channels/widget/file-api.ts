import { bytes, type Endpoint, endpoint } from '../../core/endpoint.ts'
import { mediaItem, uploadParts } from '../../media/schema.ts'
import type { ChatDeps } from './deps.ts'
import { downloadFile, keepFile, receiveFile } from './files.ts'
import { requestingVisitor } from './gate.ts'

const tag = 'Files'

export const visitorFileEndpoints = (deps: ChatDeps): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/files',
    tag,
    summary: 'Upload a file for a message',
    parts: uploadParts,
    responses: { 201: mediaItem },
    errors: ['FILES_OFF', 'FILE_TOO_LARGE', 'MEDIA_UPLOAD_FAILED', 'VISITOR_BLOCKED', 'RATE_LIMIT_EXCEEDED'],
    isIdempotent: true,
    receive: call => receiveFile(deps, call, requestingVisitor(call)),
    run: call => keepFile(call.db, call.project.id, requestingVisitor(call), call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/files/{media_id}',
    tag,
    summary: 'Download a file of a message, or one that the visitor has uploaded',
    responses: { 200: bytes, 206: bytes, 302: null, 304: null },
    errors: ['file_not_found', 'range_unsatisfiable', 'storage_unavailable'],
    run: call => downloadFile(deps, call, requestingVisitor(call)),
  }),
]
