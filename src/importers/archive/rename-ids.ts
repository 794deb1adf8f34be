/** Maps ids of the export to the ids of the same records in the project. */
export type Ids = ReadonlyMap<string, string>

const uuids = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

/** Replaces the known ids in a JSON value, also inside strings such as the URL of an image. Other ids are kept. */
export function renameIds<T>(value: T, ids: Ids): T {
  return JSON.parse(JSON.stringify(value).replaceAll(uuids, id => ids.get(id) ?? id))
}
