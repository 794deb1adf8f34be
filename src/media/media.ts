export type { BucketSpec } from './bucket.ts'
export { listBucketOrigins, listBuckets, removeBucket, setBucket } from './buckets.ts'
export { hasFailed } from './count.ts'
export { findBucketFaults, findLostFiles } from './find-faults.ts'
export { maxFileBytes } from './limits.ts'
export { inEvent, signedQuery, signLinksWith } from './links.ts'
export { dispositionOf, fileName } from './names.ts'
export type { AttachedFile, NewMedia } from './queries.ts'
export {
  deleteAttachedFiles,
  findStoredMedia,
  listAttachedFiles,
  listFreeMedia,
  listUsedMedia,
  lockAttachedFiles,
  lockMedia,
  mediaOfMessage,
  updateMediaAttached,
  updateMediaDetached,
  updateMediaExpiry,
  updateMediaFilename,
} from './queries.ts'
export { original, serve } from './serve.ts'
export { thumbOf } from './storage.ts'
export { createStorages, renewInstallationBucket, type Storages } from './storages.ts'
export { type SizeLimit, storeFile, storeStream } from './store-file.ts'
export {
  claimStrayObject,
  deleteDueStrayObjects,
  deleteExpiredMedia,
  deleteStrayObject,
  reserveObject,
} from './stray-objects.ts'
export { headLength, kindOf, sniffType } from './types.ts'
export { keepUpload, receiveUpload, type UploadDeps } from './upload.ts'
