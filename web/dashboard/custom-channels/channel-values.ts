import { channelNamePattern } from '../../../src/channels/custom/patterns.ts'
import type { CustomChannel } from '../channels/custom-channels.ts'
import { pageText } from '../core/page-text.ts'
import type { Department } from '../operators/queries.ts'

/** Form values for the fields of a custom channel that can be changed, except its picture. */
export interface ChannelValues extends Record<string, unknown> {
  title: string
  color: string
  department_id: string | null
}

export const channelValuesOf = ({ title, color, department_id }: CustomChannel): ChannelValues => ({
  ...{ title, color, department_id },
})

/** The body of the request. */
export const channelBodyOf = ({ title, color, department_id }: ChannelValues) => ({
  title: title.trim(),
  color: color.toLowerCase(),
  department_id,
})

export const channelLabels = (): Record<string, string> => ({
  title: pageText.customChannels.channelTitle,
  color: pageText.customChannels.color,
  department_id: pageText.customChannels.department,
})

/** Converts the values to text, to compare two versions. */
export const describeChannel = (
  { title, color, department_id }: ChannelValues,
  departments: Department[],
): Record<string, string> => ({
  ...{ title, color },
  department_id:
    departments.find(({ id }) => id === department_id)?.name ?? pageText.customChannels.anyDepartment,
})

export const isChannelName = (name: string): boolean => channelNamePattern.test(name)

/** Suggests an unused name for a title, such as `line-messenger` for “LINE Messenger”. */
export function suggestName(title: string, taken: string[]): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .match(/[a-z0-9]+/g)
  const name = (words?.join('-') ?? pageText.customChannels.usualName).slice(0, 28)
  const numbered = Array.from({ length: taken.length + 1 }, (_, at) => (at ? `${name}-${at + 1}` : name))
  return numbered.find(one => !taken.includes(one)) ?? name
}
