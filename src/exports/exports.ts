export { entryName } from './archive.ts'
export {
  deleteExpiredExports,
  listExports,
  openExport,
  requestExport,
  writeExports,
} from './project-exports.ts'
export { waitingExports } from './queries.ts'
export { readRows } from './rows.ts'
export { type ExportedTable, exportedTables } from './tables.ts'
export { addZipEntry, openZip, textEntry, type ZipDraft } from './zip.ts'
