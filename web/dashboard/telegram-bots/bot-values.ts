import { pageText } from '../core/page-text.ts'
import type { Department } from '../operators/queries.ts'
import type { TelegramBot } from './queries.ts'

/** Form values for the settings of a bot, except its texts and its token. */
export interface BotValues extends Record<string, unknown> {
  name: string
  department_id: string | null
  receiving: TelegramBot['receiving']
  takes_groups: boolean
}

export const botValuesOf = ({ name, department_id, receiving, takes_groups }: TelegramBot): BotValues => ({
  ...{ name, department_id, receiving, takes_groups },
})

export const botLabels = (): Record<string, string> => ({
  name: pageText.telegramBots.name,
  department_id: pageText.telegramBots.department,
  receiving: pageText.telegramBots.receiving,
  takes_groups: pageText.telegramBots.groups,
})

export const wordSwitch = (isOn: boolean): string => {
  const { on, off } = pageText.telegramBots
  return isOn ? on : off
}

/** Converts the values to text, to compare two versions. */
export const describeBot = (
  { name, department_id, receiving, takes_groups }: BotValues,
  departments: Department[],
): Record<string, string> => ({
  name,
  department_id:
    departments.find(({ id }) => id === department_id)?.name ?? pageText.telegramBots.anyDepartment,
  receiving: pageText.telegramBots.receivingWays[receiving],
  takes_groups: wordSwitch(takes_groups),
})
