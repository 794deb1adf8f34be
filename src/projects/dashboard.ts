import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { projectSettings, projectSettingsChange } from './schema.ts'
import { changeSettings, getSettings } from './settings.ts'

const tag = 'Project'

export const projectDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/settings',
    tag,
    summary: "Read the project's settings",
    responses: { 200: projectSettings },
    errors: [],
    run: ({ db, project }) => getSettings(db, project.id),
  }),
  endpoint({
    method: 'PATCH',
    path: '/settings',
    tag,
    summary: "Change the project's settings",
    minRole: 'admin',
    body: projectSettingsChange,
    responses: { 200: projectSettings },
    errors: ['SETTINGS_CHANGED', 'VALIDATION_ERROR'],
    isConditional: true,
    run: ({ body, version, ...call }) => changeSettings(call.db, call, body, version),
  }),
]
