/** Reads the fields of machine-readable reports. */

export type Fields = Map<string, string>

function readFields(block: string): Fields {
  const fields: Fields = new Map()
  let last = ''
  for (const line of block.split('\n')) {
    const at = line.indexOf(':')
    if (/^\s/.test(line)) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`)
    else if (at > 0) {
      last = line.slice(0, at).trim().toLowerCase()
      if (!fields.has(last)) fields.set(last, line.slice(at + 1).trim())
    }
  }
  fields.delete('')
  return fields
}

/** More recipients than any email from Deskbell has. */
const maxGroups = 500

/** The field groups of a delivery status notification, which are separated by empty lines. */
export const readGroups = (text: string): Fields[] =>
  text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/, maxGroups)
    .map(readFields)

export const addressIn = (field: string | undefined): string | null =>
  field?.slice(field.indexOf(';') + 1).replaceAll(/[<>\s]/g, '') || null
