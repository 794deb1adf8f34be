export type { Place } from './bucket.ts'
export { listBuckets, removeBucket, setBucket } from './buckets.ts'
export { inEvent, signLinksWith } from './links.ts'
export type { NewMedia } from './queries.ts'
export {
  attachMedia,
  detachMedia,
  findStored,
  keepMedia,
  listFreeMedia,
  lockMedia,
  mediaOfMessage,
} from './queries.ts'
export { original, serve } from './serve.ts'
export { createStorages, type Storages } from './storages.ts'
export { claimStray, deleteExpiredMedia, dropStray, reserve, sweepStrays } from './strays.ts'
export { type Bound, keepUpload, receiveUpload, type Uploading } from './upload.ts'
