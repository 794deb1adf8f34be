export { deleteOldRequests, listRequests, maxScannedRequests } from './list.ts'
export { createRecorder, type Recorder, recordRequests } from './recorder.ts'
