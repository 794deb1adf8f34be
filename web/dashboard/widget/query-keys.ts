import { makeKey } from '../core/query-key.ts'

export const widgetKeys = {
  settings: (projectId: string) => makeKey('widget', projectId),
}
