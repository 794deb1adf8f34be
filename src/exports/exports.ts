export {
  deleteExpiredExports,
  listExports,
  openExport,
  requestExport,
  writeExports,
} from './project-exports.ts'
export { waitingExports } from './queries.ts'
