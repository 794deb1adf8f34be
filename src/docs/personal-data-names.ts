import * as personalData from '../personal-data/schema.ts'

/** The names of the schemas about personal data. */
export const personalDataNames = {
  DataDeletion: personalData.dataDeletion,
  DataDeletionKind: personalData.dataDeletion.properties.kind,
  DataDeletionList: personalData.dataDeletionList,
  DataDeletionState: personalData.deletionState,
  DeletionPreview: personalData.deletionPreview,
}
