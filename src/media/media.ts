export type { BucketSpec } from './bucket.ts'
export { listBucketOrigins, listBuckets, removeBucket, setBucket } from './buckets.ts'
export { hasFailed } from './count.ts'
export { findBucketFaults, findLostFiles } from './examine.ts'
export { inEvent, signLinksWith } from './links.ts'
export type { NewMedia } from './queries.ts'
export {
  findStoredMedia,
  listFreeMedia,
  listUsedMedia,
  lockMedia,
  mediaOfMessage,
  updateMediaAttached,
  updateMediaDetached,
  updateMediaExpiry,
} from './queries.ts'
export { original, serve } from './serve.ts'
export { thumbOf } from './storage.ts'
export { createStorages, renewInstallationBucket, type Storages } from './storages.ts'
export { claimStray, deleteExpiredMedia, dropStray, reserve, sweepStrays } from './strays.ts'
export { type Bound, keepUpload, receiveUpload, type Uploading } from './upload.ts'
